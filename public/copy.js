// Adds a button to every code example that copies it; without a script there is nothing to press.
for (const figure of document.querySelectorAll('figure.code:not(.answer)')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(figure.querySelector('code'));
      button.textContent = 'Selected';
    }
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  });
  figure.querySelector('figcaption').append(button);
}
