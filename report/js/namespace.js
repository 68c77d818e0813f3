"use strict";
// The only name that the page's script puts into the global scope; every file below adds its part to it.
const ezlda = {};
