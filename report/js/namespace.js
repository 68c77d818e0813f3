"use strict";
// The only global name of the page's script. Every file below adds its functions to it.
const ezlda = {};
