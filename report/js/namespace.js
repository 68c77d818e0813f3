// The namespace: the only global name of the page's script. Every file below adds its functions to it.
"use strict";
const ezlda = {};
