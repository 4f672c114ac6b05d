// Browsers give passkeys to scripts only. What one says goes into the form it was asked for, and on to the server.
"use strict";

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const known = (list = []) => list.map((one) => ({ ...one, id: bytesOf(one.id) }));

const use = async (options) => {
  const { id, type, response } = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      allowCredentials: known(options.allowCredentials),
    },
  });
  return {
    id,
    rawId: id,
    type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
    },
  };
};

const make = async (options) => {
  const { id, type, response } = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: known(options.excludeCredentials),
    },
  });
  return {
    id,
    rawId: id,
    type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
};

const say = (form, words) => {
  const place = form.querySelector("[data-passkey-problem]");
  place.textContent = words;
  place.hidden = false;
};

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const { passkey, options } = form.dataset;
  if (!passkey || form.elements.passkey.value !== "") return;
  event.preventDefault();
  try {
    const answer = await (passkey === "make" ? make : use)(JSON.parse(options));
    form.elements.passkey.value = JSON.stringify(answer);
    form.submit();
  } catch (error) {
    const isKnown = error.name === "InvalidStateError";
    say(form, isKnown ? "This passkey is already registered." : "No passkey was received. Try again.");
  }
});
