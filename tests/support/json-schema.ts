import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Checks values against the named schemas of an OpenAPI document, independently of zod. */
export function schemaChecker(document: object): (name: string, value: unknown) => void {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
  return (name, value) => {
    const validate = ajv.getSchema(`openapi.json#/components/schemas/${name}`) as ValidateFunction;
    if (!validate(value)) throw new Error(`not a ${name}: ${ajv.errorsText(validate.errors)}`);
  };
}
