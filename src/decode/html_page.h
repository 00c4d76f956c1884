// The page that shows decoded batches in a browser: style and code. It reads the stream that html_printer.cpp writes,
// and makes rows only of what is unfolded and looked at. Nothing is loaded from elsewhere. No part of the machine.
#pragma once

#include <string_view>

namespace vitro::decode {

inline constexpr std::string_view page_head = R"page(<meta name="viewport" content="width=device-width">
<style>
:root { --back:#fff; --text:#1b1f24; --dim:#6a737d; --line:#e4e7eb; --command:#0550ae; --object:#8a4b00; --wrong:#c40000;
  --mark:#fff3b0; --bar:#f6f8fa; }
@media (prefers-color-scheme: dark) { :root:not(.light) { --back:#14171c; --text:#d7dce2; --dim:#8b949e; --line:#2a3038;
  --command:#79b8ff; --object:#e3b341; --wrong:#ff7b72; --mark:#4b4000; --bar:#1b2027; } }
:root.dark { --back:#14171c; --text:#d7dce2; --dim:#8b949e; --line:#2a3038; --command:#79b8ff; --object:#e3b341;
  --wrong:#ff7b72; --mark:#4b4000; --bar:#1b2027; }
body { background:var(--back); color:var(--text); font:13px/1.5 ui-monospace,monospace; margin:0; }
header { position:sticky; top:0; background:var(--bar); border-bottom:1px solid var(--line); padding:6px 12px;
  display:flex; gap:12px; align-items:center; z-index:1; }
header b { flex:1; overflow:hidden; text-overflow:ellipsis; white-space:nowrap; }
input,button { font:inherit; color:inherit; background:var(--back); border:1px solid var(--line); border-radius:4px;
  padding:2px 8px; }
main { padding:8px 12px; }
.row { white-space:pre; cursor:default; border-radius:3px; }
.row.fold { cursor:pointer; }
.row.fold:hover { background:var(--bar); }
.row::before { content:"  "; color:var(--dim); }
.row.fold::before { content:"\25B8  "; }
.row.fold.open::before { content:"\25BE  "; }
.inside { margin-left:18px; border-left:1px solid var(--line); padding-left:10px; }
.address { color:var(--dim); } .command { color:var(--command); font-weight:600; } .object { color:var(--object); }
.wrong { color:var(--wrong); } .zero { opacity:.55; } .marked { background:var(--mark); }
table { border-collapse:collapse; margin:2px 0 4px; } td { padding:0 14px 0 0; vertical-align:top; }
td.bits { color:var(--dim); } pre { margin:2px 0; } a { color:var(--command); }
details.block > summary { color:var(--dim); cursor:pointer; }
</style>
<header><b id="title"></b><input id="find" placeholder="name or address" size="28"><span id="found"></span>
<button id="theme">light / dark</button></header>
<main id="main"></main>
<script>
"use strict";
const parts = [];
function add(text) { parts.push(text); }
const KIND = ["batch","command","object","entry","kernel","again","note","unknown"];
let S, at = [], places;
const hex = (v, n) => "0x" + v.toString(16).padStart(n || 1, "0");
function make(tag, cls, text) {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  if (text !== undefined) e.textContent = text;
  return e;
}
function load() {
  const pieces = parts.map(t => {
    const text = atob(t), bytes = new Uint8Array(text.length);
    for (let n = 0; n < text.length; n++) bytes[n] = text.charCodeAt(n);
    return bytes;
  });
  const all = new Uint8Array(pieces.reduce((n, p) => n + p.length, 0));
  let n = 0;
  for (const p of pieces) { all.set(p, n); n += p.length; }
  parts.length = 0;
  S = new Uint32Array(all.buffer);
  for (let o = 0; o < S.length;) {
    at.push(o);
    const flags = S[o] >>> 8;
    o += 3 + (flags & 32 ? S[o + 3] + 1 : S[o + 2] >>> 16) + (flags & 1) + (flags >> 1 & 1) + (flags >> 2 & 1) + (flags >> 2 & 2);
  }
}
// An item of the stream: head, address, address and count, [count], [text], [role], [index], [link], dwords.
function item(o) {
  const w = S[o], flags = w >>> 8 & 255, i = {kind: KIND[w & 15], depth: w >>> 4 & 15, packet: packets[(w >>> 16) - 1]};
  i.address = S[o + 1] + (S[o + 2] & 0xFFFF) * 4294967296;
  let n = S[o + 2] >>> 16;
  o += 3;
  if (flags & 32) n = S[o++];
  if (flags & 1) i.text = texts[S[o++]];
  if (flags & 2) i.role = texts[S[o++]];
  if (flags & 4) i.index = S[o++];
  if (flags & 8) { i.link = S[o] + S[o + 1] * 4294967296; o += 2; }
  i.hung = flags & 16;
  i.from = o; i.count = n; i.end = o + n;
  return i;
}
const depthOf = n => S[at[n]] >>> 4 & 15;
function extract(from, lo, hi, scale) {
  let v = 0n, done = 0n;
  for (let b = lo; b <= hi;) {
    const take = Math.min(32 - b % 32, hi - b + 1);
    v |= (BigInt(S[from + (b >> 5)]) >> BigInt(b % 32) & (1n << BigInt(take)) - 1n) << done;
    b += take; done += BigInt(take);
  }
  return v << BigInt(scale);
}
const number = v => v < 65536n ? v.toString() : hex(v);
function real(v) {
  const f = Math.fround(new Float32Array(new Uint32Array([Number(v)]).buffer)[0]);
  return String(Number.isFinite(f) ? parseFloat(f.toPrecision(9)) : f);
}
function shown(f, v) {
  const form = f[6], signed = x => BigInt.asIntN(f[2] - f[1] + 1 + f[3], x);
  if (form == 1) return v ? "true" : "false";
  if (form == 2) return signed(v).toString();
  if (form == 3) return real(v);
  if (form == 4) return hex(v);
  if (form == 5) return String(Number(v) / 2 ** f[7]);
  if (form == 6) return String(Number(signed(v)) / 2 ** f[7]);
  if (form == 7) return values[f[8]][v] ? values[f[8]][v] + " (" + number(v) + ")" : number(v) + (v && Object.keys(values[f[8]]).length > 1 ? " (reserved value)" : "");
  if (form == 8) return registers[v] ? registers[v] + " (" + hex(v) + ")" : hex(v);
  return number(v);
}
function fields(into, p, from, count) {
  const t = make("table");
  const row = (bits, name, value, cls) => {
    const r = t.insertRow();
    if (cls) r.className = cls;
    r.append(make("td", "bits", bits), make("td", "", name), make("td", "", value));
  };
  for (const f of p.f)
    for (let n = 0; n < f[4]; n++) {
      const lo = f[1] + n * f[5], hi = f[2] + n * f[5];
      if (hi >> 5 >= count) break;
      const v = extract(from, lo, hi, f[3]), text = shown(f, v);
      const bits = "DW" + (lo >> 5) + " " + (hi - (lo & ~31)) + (hi > lo ? ":" + lo % 32 : "");
      row(bits, f[4] > 1 ? f[0] + "[" + n + "]" : f[0], text, text.endsWith("(reserved value)") ? "wrong" : v ? "" : "zero");
    }
  for (let d = 0; d < count && d < p.r.length; d++) {
    const set = (S[from + d] & p.r[d]) >>> 0;
    if (set) row("DW" + d, "reserved bits are set", hex(set, 8), "wrong");
  }
  let rest = p.r.length;
  if (S.subarray(from + rest, from + Math.min(count, p.d)).every(d => !d)) rest = Math.max(rest, Math.min(count, p.d));
  if (p.l) {
    const q = packets[p.l - 1];
    let n = 0;
    for (rest = p.a; rest + q.d <= count; rest += q.d) {
      row("DW" + rest, q.n + "[" + n++ + "]", "", "object");
      const inner = make("div");
      fields(inner, q, from + rest, q.d);
      for (const r of [...inner.firstChild.rows]) { r.cells[1].prepend("  "); t.tBodies[0] ? t.tBodies[0].append(r) : t.append(r); }
    }
  }
  for (; rest < count; rest += 8)
    row("DW" + rest, "", Array.from(S.subarray(from + rest, from + Math.min(count, rest + 8)), d => hex(d, 8)).join(" "));
  if (t.rows.length) into.append(t);
}
function anchor(address) {
  const a = make("a", "", hex(address));
  a.href = "#" + hex(address);
  a.onclick = e => { e.stopPropagation(); e.preventDefault(); const n = place(address); if (n !== undefined) reveal(n); };
  return a;
}
// The first item that stands at an address and shows something.
function place(address) {
  if (!places) {
    places = new Map();
    for (let n = at.length - 1; n >= 0; n--) { const i = item(at[n]); if (i.kind != "again" && i.kind != "note") places.set(i.address, n); }
  }
  return places.get(address);
}
function after(n) { const d = depthOf(n); let m = n + 1; while (m < at.length && depthOf(m) > d) m++; return m; }
function rowOf(n) {
  const i = item(at[n]), box = make("div"), row = make("div", "row");
  box.item = n;
  const say = (text, cls) => row.append(make("span", cls, text));
  const title = i.kind == "batch" && i.index !== undefined;
  if (!title) say(hex(i.address, 12) + "  ", "address");
  if (i.role) say(i.role + (i.index !== undefined ? "[" + i.index + "]" : "") + ": ");
  if (i.kind == "command" || i.kind == "object") say(i.packet.n, i.kind);
  else if (i.kind == "entry") { row.append(anchor(i.link)); }
  else if (i.kind == "kernel") say("kernel", "object");
  else if (i.kind == "again") { say(i.text + ", shown at "); row.append(anchor(i.link)); }
  else if (i.kind == "unknown") say("unknown command " + hex(S[i.from], 8), "wrong");
  else say(i.text, i.kind == "note" ? "wrong" : "object");
  if (i.kind == "command" && i.link !== undefined) { say(" "); row.append(anchor(i.link)); }
  if (i.hung) say("  \u2190 the engine hung here", "wrong");
  const end = after(n), content = i.packet && i.kind != "again" && i.count || i.kind == "kernel" || end > n + 1;
  box.append(row);
  if (content) {
    row.classList.add("fold");
    box.unfold = () => {
      if (box.inside) return;
      row.classList.add("open");
      box.inside = make("div", "inside");
      if (i.kind == "kernel") box.inside.append(make("pre", "", i.text));
      else if (i.packet && i.count) fields(box.inside, i.packet, i.from, i.count);
      rows(box.inside, n + 1, end);
      box.append(box.inside);
    };
    row.onclick = () => {
      if (!box.inside) return box.unfold();
      box.inside.remove(); box.inside = null; row.classList.remove("open");
    };
  }
  return box;
}
// Rows of the items from n on that belong together; many of them in blocks that are filled when they are opened.
const BLOCK = 400;
function rows(into, n, end) {
  const tops = [];
  while (n < end) { tops.push(n); n = after(n); }
  if (tops.length <= BLOCK) { for (const t of tops) into.append(rowOf(t)); return; }
  for (let k = 0; k < tops.length; k += BLOCK) {
    const part = tops.slice(k, k + BLOCK), d = make("details", "block");
    d.append(make("summary", "", (k + 1) + " \u2013 " + (k + part.length) + " of " + tops.length + ", from " + hex(item(at[part[0]]).address)));
    d.first = part[0]; d.last = k + BLOCK < tops.length ? tops[k + BLOCK] : end;
    d.fill = () => { if (!d.filled) { d.filled = true; for (const t of part) d.append(rowOf(t)); } };
    d.ontoggle = () => { if (d.open) d.fill(); };
    into.append(d);
    if (k == 0) { d.open = true; d.fill(); }
  }
}
function reveal(n) {
  let into = document.getElementById("main");
  for (;;) {
    for (const d of into.querySelectorAll(":scope > details.block"))
      if (d.first <= n && n < d.last) { d.open = true; d.fill(); into = d; break; }
    const box = [...into.children].reverse().find(b => b.item !== undefined && b.item <= n);
    if (!box) return;
    if (box.unfold) box.unfold();
    if (box.item == n || !box.inside) {
      for (const m of document.querySelectorAll(".marked")) m.classList.remove("marked");
      box.firstChild.classList.add("marked");
      box.scrollIntoView({block: "center"});
      return;
    }
    into = box.inside;
  }
}
let last = -1;
function search() {
  const word = document.getElementById("find").value.trim().toUpperCase(), found = document.getElementById("found");
  if (!word) { found.textContent = ""; return; }
  const address = /^0X[0-9A-F]+$/.test(word) ? parseInt(word, 16) : null;
  for (let k = 1; k <= at.length; k++) {
    const n = (last + k) % at.length, i = item(at[n]);
    if (address === null ? i.packet && i.kind != "again" && i.packet.n.includes(word) : i.address == address) {
      last = n; found.textContent = ""; reveal(n); return;
    }
  }
  found.textContent = "not found";
}
function start() {
  document.getElementById("title").textContent = document.title;
  document.getElementById("find").onkeydown = e => { if (e.key == "Enter") search(); };
  document.getElementById("theme").onclick = () => {
    const c = document.documentElement.classList, dark = getComputedStyle(document.documentElement).getPropertyValue("--back").trim() != "#fff";
    c.toggle("light", dark); c.toggle("dark", !dark);
  };
  load();
  rows(document.getElementById("main"), 0, at.length);
  if (/^#0x[0-9a-f]+$/.test(location.hash)) { const n = place(parseInt(location.hash.slice(1), 16)); if (n !== undefined) reveal(n); }
  document.documentElement.dataset.ready = "yes";
}
</script>
)page";

}  // namespace vitro::decode
