// The view of the map: converts positions of topics to positions on the screen; zoom, pan and animated moves.
(() => {
  const MOST_ZOOM = 60, EDGE = 14;

  function boundsOf(xs, ys) {
    const least = (values) => values.reduce((low, v) => Math.min(low, v), Infinity);
    const most = (values) => values.reduce((high, v) => Math.max(high, v), -Infinity);
    const left = least(xs), top = least(ys), width = most(xs) - left, height = most(ys) - top;
    return { x: left + width / 2, y: top + height / 2, width, height, size: Math.max(width, height) || 1 };
  }

  // reach: the radius of the largest circle, in units of the map.
  function create(bounds, reach, changed) {
    const camera = { width: 1, height: 1, below: 0, base: 1, zoom: 1, x: bounds.x, y: bounds.y };
    const still = window.matchMedia("(prefers-reduced-motion: reduce)");
    let flight = 0;

    camera.scale = () => camera.base * camera.zoom;
    camera.toX = (x) => camera.width / 2 + (x - camera.x) * camera.scale();
    camera.middle = () => (camera.height - camera.below) / 2;
    camera.toY = (y) => camera.middle() + (y - camera.y) * camera.scale();

    // below: height of what covers the lower edge; the whole map fits above it.
    camera.resize = (width, all, below = 0) => {
      const height = all - below;
      Object.assign(camera, { width, height: all, below });
      const room = Math.min(90, 0.12 * Math.min(width, height)) + 20;
      const across = (width - 2 * room) / (bounds.width || 1), down = (height - 2 * room) / (bounds.height || 1);
      const whole = Math.min((width - 2 * EDGE) / (bounds.width + 2 * reach), (height - 2 * EDGE) / (bounds.height + 2 * reach));
      camera.base = Math.max(1, Math.min(across, down, whole, Math.min(width, height) * 0.9));
    };

    // The middle of the view stays over the map, so that the user cannot get lost.
    function keep() {
      const half = bounds.size * 0.6;
      camera.zoom = Math.min(MOST_ZOOM, Math.max(0.6, camera.zoom));
      camera.x = Math.min(bounds.x + half, Math.max(bounds.x - half, camera.x));
      camera.y = Math.min(bounds.y + half, Math.max(bounds.y - half, camera.y));
      changed();
    }

    camera.pan = (dx, dy) => {
      cancelAnimationFrame(flight);
      camera.x -= dx / camera.scale();
      camera.y -= dy / camera.scale();
      keep();
    };

    // The position under the pointer does not move.
    camera.zoomAt = (factor, px, py) => {
      cancelAnimationFrame(flight);
      const before = camera.scale();
      camera.zoom = Math.min(MOST_ZOOM, Math.max(0.6, camera.zoom * factor));
      const shift = 1 / before - 1 / camera.scale();
      camera.x += (px - camera.width / 2) * shift;
      camera.y += (py - camera.middle()) * shift;
      keep();
    };

    camera.fly = (x, y, zoom) => {
      cancelAnimationFrame(flight);
      const from = { x: camera.x, y: camera.y, zoom: Math.log(camera.zoom) };
      const start = performance.now(), takes = still.matches ? 0 : 260;
      const frame = (now) => {
        const t = takes ? Math.min(1, Math.max(0, (now - start) / takes)) : 1;
        const ease = 1 - (1 - t) ** 3;
        camera.x = from.x + (x - from.x) * ease;
        camera.y = from.y + (y - from.y) * ease;
        camera.zoom = Math.exp(from.zoom + (Math.log(zoom) - from.zoom) * ease);
        keep();
        if (t < 1) flight = requestAnimationFrame(frame);
      };
      frame(takes ? start : start + 1);
    };

    camera.fit = () => camera.fly(bounds.x, bounds.y, 1);
    return camera;
  }

  ezlda.mapCamera = { create, boundsOf };
})();
