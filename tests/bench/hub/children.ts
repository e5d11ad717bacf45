import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** As the service is started: young objects get little room, so that they are collected early. */
const FLAGS = ['--max-semi-space-size=8'];

/** Starts a program of this folder in a process of its own, and sends it an order. */
export async function forkWith<Answer>(
  program: string,
  order: object,
): Promise<{ child: ChildProcess; answer: Answer }> {
  const child = fork(join(import.meta.dirname, program), { execArgv: FLAGS });
  return { child, answer: await ask<Answer>(child, order) };
}

/** Sends a message to a process, and returns its answer. @throws if it ends */
export async function ask<Answer>(child: ChildProcess, message: object | string): Promise<Answer> {
  child.send(message);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the bench ended with ${code}`);
  });
  failed.catch(() => {}); // also ends with the bench
  const [answer] = (await Promise.race([once(child, 'message'), failed])) as [Answer];
  return answer;
}
