// Draws the picture that the server has laid out.
"use strict";

(async () => {
  const box = document.getElementById("graph");
  if (!box) return;
  const answer = await fetch(box.dataset.picture, { headers: { Accept: "application/json" } });
  if (!answer.ok) return;
  const picture = await answer.json();
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const colour = (group) => `hsl(${(group * 137.508) % 360} 55% ${dark ? 62 : 42}%)`;
  // The canvas of the library knows hexadecimal colours alone.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const hex = (css) => {
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
    return "#" + [r, g, b].map((n) => n.toString(16).padStart(2, "0")).join("");
  };
  const graph = new graphology.Graph({ multi: true, type: "directed" });
  for (const dot of picture.dots) {
    graph.addNode(dot.id, { x: dot.x, y: dot.y, size: dot.size, label: dot.label, color: hex(colour(dot.group)) });
  }
  for (const s of picture.strokes) {
    graph.addEdge(s.from, s.to, {
      size: s.link ? 2 : 0.6, type: s.link ? "arrow" : "line", alike: !s.link,
      color: dark ? (s.link ? "#aeb6c0" : "#3d454f") : (s.link ? "#5a626c" : "#cfd4da"),
    });
  }
  try {
    const view = new Sigma(graph, box, {
      labelColor: { color: dark ? "#e6e8eb" : "#1a1d21" }, labelDensity: 0.6, labelRenderedSizeThreshold: picture.dots.length > 60 ? 7 : 2, minCameraRatio: 0.1, maxCameraRatio: 3,
      edgeReducer: (edge, data) => ({ ...data, hidden: data.alike && !document.getElementById("alike").checked }),
    });
    view.on("clickNode", ({ node }) => { location.href = box.dataset.memory + node; });
    document.getElementById("alike").addEventListener("change", () => view.refresh());
    box.dataset.drawn = picture.dots.length;
  } catch (error) { // no WebGL: the list below says the same
    box.textContent = "This browser cannot draw the graph; the list below holds the same.";
  }
})();
