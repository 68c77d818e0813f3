// Unpacks tables of numbers: base64 of little-endian arrays become typed arrays on first use.
(() => {
  function bytes(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text);
    const out = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
    return out;
  }

  // On big-endian machines, the bytes of every element are reversed.
  const bigEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0;

  function unpack(Kind, text) {
    const raw = bytes(text || "");
    const size = Kind.BYTES_PER_ELEMENT;
    if (bigEndian) for (let at = 0; at < raw.length; at += size) raw.subarray(at, at + size).reverse();
    return new Kind(raw.buffer, 0, Math.floor(raw.length / size));
  }

  const KINDS = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array };

  // An object whose properties are unpacked on first use: lazy(source, {start: "u32", ...}).
  function lazy(source, kinds) {
    const out = {};
    for (const [name, kind] of Object.entries(kinds)) {
      let table = null;
      Object.defineProperty(out, name, {
        get() { return table || (table = unpack(KINDS[kind], source && source[name])); },
      });
    }
    return out;
  }

  ezlda.unpack = { lazy, table: (kind, text) => unpack(KINDS[kind], text) };
})();
