// The background of the map: the density of tokens as soft bands and contour lines, in the coordinates of the topics.
(() => {
  const N = 120; // cells along each side
  const LEVELS = [0.04, 0.1, 0.2, 0.34, 0.52, 0.74];

  // Three box blurs along both axes approximate a Gaussian at a cost that does not depend on the number of topics.
  function blur(grid, radius) {
    const pass = (from, to, along, across) => {
      for (let line = 0; line < N; line++) {
        let sum = 0;
        for (let i = -radius; i < N; i++) {
          const enters = i + radius, leaves = i - radius - 1;
          if (enters < N) sum += from[line * across + enters * along];
          if (leaves >= 0) sum -= from[line * across + leaves * along];
          if (i >= 0) to[line * across + i * along] = sum / (2 * radius + 1);
        }
      }
    };
    const other = new Float32Array(grid.length);
    for (let round = 0; round < 3; round++) {
      pass(grid, other, 1, N);
      pass(other, grid, N, 1);
    }
  }

  // The edges of a cell that a contour crosses, by which corners are above it: one bit per corner, clockwise from top
  // left.
  const EDGES = {
    1: [[3, 0]], 2: [[0, 1]], 3: [[3, 1]], 4: [[1, 2]], 5: [[3, 0], [1, 2]], 6: [[0, 2]], 7: [[3, 2]],
    8: [[2, 3]], 9: [[2, 0]], 10: [[0, 1], [2, 3]], 11: [[2, 1]], 12: [[1, 3]], 13: [[1, 0]], 14: [[0, 3]],
  };

  function contour(grid, level, toX, toY) {
    const path = new Path2D();
    for (let row = 0; row < N - 1; row++) {
      for (let column = 0; column < N - 1; column++) {
        const at = row * N + column;
        const v = [grid[at], grid[at + 1], grid[at + N + 1], grid[at + N]];
        const sides = EDGES[v.reduce((bits, value, i) => bits | ((value > level) << i), 0)];
        if (!sides) continue;
        const cut = (a, b) => (level - v[a]) / (v[b] - v[a]);
        const point = (edge) => [[column + cut(0, 1), row], [column + 1, row + cut(1, 2)],
          [column + cut(3, 2), row + 1], [column, row + cut(0, 3)]][edge];
        for (const [from, to] of sides) {
          const a = point(from), b = point(to);
          path.moveTo(toX(a[0]), toY(a[1]));
          path.lineTo(toX(b[0]), toY(b[1]));
        }
      }
    }
    return path;
  }

  // Bands as an image whose opacity rises with the density; drawing it enlarged smooths it.
  function bands(grid, colour) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = N;
    const context = canvas.getContext("2d");
    const image = context.createImageData(N, N);
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
    for (let i = 0; i < N * N; i++) {
      const above = (level) => Math.min(1, Math.max(0, (grid[i] - level * 0.7) / (level * 0.5)));
      const steps = LEVELS.reduce((sum, level) => sum + above(level), 0);
      image.data.set([r, g, b, Math.round((255 * 0.85 * steps) / LEVELS.length)], i * 4);
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }

  function create(model, bounds) {
    const pad = 0.16 * bounds.size;
    const left = bounds.x - bounds.size / 2 - pad, top = bounds.y - bounds.size / 2 - pad, side = bounds.size + 2 * pad;
    const grid = new Float32Array(N * N);
    for (const t of model.shown()) {
      const column = Math.floor(((model.topics.x[t] - left) / side) * N);
      const row = Math.floor(((model.topics.y[t] - top) / side) * N);
      grid[row * N + column] += Math.sqrt(model.share(t));
    }
    blur(grid, Math.max(2, Math.round(model.K > 200 ? N / 45 : N / 26)));
    const largest = grid.reduce((most, value) => Math.max(most, value), 0) || 1;
    for (let i = 0; i < grid.length; i++) grid[i] /= largest;
    const toX = (column) => left + ((column + 0.5) / N) * side, toY = (row) => top + ((row + 0.5) / N) * side;
    const lines = LEVELS.map((level) => contour(grid, level, toX, toY));
    let image = null, of = "";
    return { left, top, side, lines, image(colour) {
      if (of !== colour) { image = bands(grid, colour); of = colour; }
      return image;
    } };
  }

  ezlda.mapTerrain = create;
})();
