// Writes the code of the frame that is chosen on /developers/embed/, and shows that frame.
const choice = document.querySelector('.snippet');
const code = document.querySelector('.snippet-code code');
const frame = document.querySelector('.snippet-frame');
const first = code.textContent;

choice.hidden = false;
choice.addEventListener('change', () => {
  const [kind, scheme] = [...choice.querySelectorAll('select')].map(({ value }) => value);
  const address = new URL(`${choice.dataset.base}${kind}${scheme && `#${scheme}`}`);
  code.textContent = first.replace(/src="[^"]*"/, `src="${address}"`);
  frame.src = address.pathname + address.hash;
});
