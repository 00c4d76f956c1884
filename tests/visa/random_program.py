"""Random vISA programs, drawn from the rows of src/visa/instructions.def: each instruction's types, modifiers and
operands are what its row allows. A program begins with all its variables filled from registers and ends by storing all
of them, and its predicates, to memory: so what two ways of running it leave can be compared byte for byte.

A profile says what may be drawn. `all` is everything that the document allows. `agreed` leaves out what GenX_IR gets
wrong (docs/visa-differences.md): with it both ways always agree."""

import pathlib
import random
import re

ROWS = pathlib.Path(__file__).resolve().parents[2] / "src" / "visa" / "instructions.def"

SETS = {"int_types": "ud d uw w ub b", "quad_types": "uq q", "single_types": "f hf", "double_types": "df",
        "float_types": "f hf df", "unsigned_types": "ud uw ub uq", "signed_types": "d w b q", "dword_types": "ud d",
        "ud_only": "ud", "f_only": "f", "any_types": "ud d uw w ub b uq q f hf df", "no_types": ""}
SIZE = {"ud": 4, "d": 4, "uw": 2, "w": 2, "ub": 1, "b": 1, "uq": 8, "q": 8, "f": 4, "hf": 2, "df": 8}
# Results that are undefined in part, operands of a form of their own, or which no device's code is made for.
LEFT_OUT = {"sad2", "sad2add", "dp2", "dp3", "dp4", "dph", "line", "plane", "addr_add", "movs", "setp", "cmp",
            "sel", "mov", "ifcall", "faddr", "fcall", "switchjmp", "wait"}


def rows():
    """(mnemonic, text items, types, modifiers, traits) of what computes."""
    found = []
    pattern = re.compile(r'^VISA\((\w+),\s*"([^"]+)",\s*\w+,\s*(?:NOSUB|SUB\([^)]*\)),\s*"([^"]*)",\s*"([^"]*)",\s*'
                         r'([\w|]+),\s*(\w+),\s*([\w|]+),')
    for line in ROWS.read_text().splitlines():
        if m := pattern.match(line):
            _, mnemonic, _, text, types, modifiers, traits = m.groups()
            if "split" not in traits or mnemonic in LEFT_OUT:
                continue
            names = [t for s in types.split("|") for t in SETS[s].split()]
            found.append((mnemonic, text.split(), names, modifiers, traits))
    return found


class Profile:
    def __init__(self, name, device):
        self.name, self.device = name, device
        self.agreed = name == "agreed"


class Program:
    """One program: `lines` between a fixed head and tail."""

    LANES = 16
    REGISTER = 32

    def __init__(self, seed, profile, length=None):
        self.random = r = random.Random(seed)
        self.profile, self.seed = profile, seed
        self.variables, self.predicates, self.lines = [], [], []
        types = ["ud", "d", "uw", "w", "ub", "b", "f", "hf", "uq", "q", "df"]
        for n in range(12):
            kind = types[n] if n < len(types) else r.choice(types)
            elements = min(64, 64 * 4 // SIZE[kind] // 2)
            self.variables.append((f"X{n}", kind, max(16, 128 // SIZE[kind]) if SIZE[kind] < 8 else 16))
        for n, elements in enumerate((8, 16, 16, 32)):
            self.predicates.append((f"P{n + 1}", elements))
        self.channels = r.choice((0xFFFF, 0xFFFF, 0xFFFF, r.getrandbits(16) | 1 << r.randrange(16)))
        self.rows = rows()
        self.label = self.depth = 0
        self.subroutines, self.addresses = [], []
        for _ in range(length or r.randrange(2, 12)):
            self.statement()

    # --- operands
    def of_type(self, kind):
        return [v for v in self.variables if v[1] == kind]

    def source_region(self, size, lanes):
        """(vertical, width, horizontal) that fits."""
        r = self.random
        while True:
            w = r.choice([x for x in (1, 2, 4, 8, 16) if x <= lanes])
            hs, vs = r.choice((0, 1, 1, 1, 2, 4)), r.choice((0, 1, 2, 4, 8, 16, 32))
            if r.random() < 0.5:
                w, hs = r.choice(((1, 0), (lanes, 1))) if lanes > 1 else (1, 0)
                vs = r.choice((0, 1)) if w == 1 else w * hs if w * hs in (0, 1, 2, 4, 8, 16, 32) else 0
            offsets = [(i // w * vs + i % w * hs) * size for i in range(lanes)]
            if max(offsets) + size > 2 * self.REGISTER:
                continue
            if self.profile.agreed:
                # rows that overlap or repeat are split wrongly (c, d)
                if w > 1 and (hs == 0 or (vs and vs < w * hs)) or (w > 1 and vs == 0 and lanes > w):
                    continue
            return vs, w, hs, offsets

    def place(self, kind, elements, offsets):
        """Row and column at which all of it lies in the variable and in two registers."""
        size, r = SIZE[kind], self.random
        span = max(offsets) + size
        for _ in range(50):
            first = r.randrange(0, elements) * size
            if r.random() < 0.4:
                first = first // 32 * 32
            if first + span > elements * size or first % 32 + span > 64:
                continue
            if self.profile.agreed and any((first + a) // 32 != (first + a + size - 1) // 32 for a in offsets):
                continue
            return first
        return None

    def source(self, kind, lanes, modifiers, immediate=True):
        r, size = self.random, SIZE[kind]
        if immediate and r.random() < 0.15:
            return self.immediate(kind)
        name, _, elements = r.choice(self.of_type(kind))
        while True:
            vs, w, hs, offsets = self.source_region(size, lanes)
            first = self.place(kind, elements, offsets)
            if first is None:
                continue
            if self.profile.agreed and self.row_crosses(first, vs, w, hs, size, lanes):
                continue
            modifier = self.modifier(kind, modifiers)
            # minus the lowest integer does not fit where elements of two registers are put together (q)
            if self.profile.agreed and kind in ("d", "w", "b", "q") and first // 32 != (first + max(offsets) + size - 1) // 32:
                modifier = ""
            return f"{modifier}{name}({first // 32},{first % 32 // size})<{vs};{w},{hs}>"

    def row_crosses(self, first, vs, w, hs, size, lanes):
        """A row of the region has elements in two registers (b), or rows begin in a place from which splitting goes
        wrong."""
        for row in range(max(1, lanes // w)):
            begin = first + row * vs * size
            if begin // 32 != (begin + (w - 1) * hs * size + size - 1) // 32 and begin % 32:
                return True
        return False

    def modifier(self, kind, modifiers):
        r = self.random
        if r.random() < 0.7:
            return ""
        if modifiers == "arithmetic":
            return r.choice(("(-)", "(abs)", "(-abs)")) if kind not in ("ud", "uw", "ub", "uq") else ""
        # (~) at an operand that is copied first becomes a negation
        return "(~)" if modifiers == "logic" and not self.profile.agreed else ""

    def immediate(self, kind):
        r = self.random
        if kind == "f":
            return f"0x{r.choice((0x3F800000, 0xC0200000, 0, 0x80000000, 0x7F800000, 0x3EAAAAAB, 0x42F6E979)):x}:f"
        if kind == "hf":
            return f"0x{r.choice((0x3C00, 0xC100, 0, 0x3555)):x}:hf"
        if kind == "df":
            return f"{r.choice((1.0, -2.5, 0.0, 1e10))!r}:df"
        if kind in ("ub", "b"):
            return f"{r.randrange(0, 100)}:{'uw' if kind == 'ub' else 'w'}"
        if kind in ("uq", "q"):
            return f"0x{r.getrandbits(31):x}:{kind}"
        bits = SIZE[kind] * 8
        value = r.choice((r.randrange(0, 32), r.getrandbits(bits - 1), 1, 0))
        return f"0x{value:x}:{kind}"

    def destination(self, kind, lanes):
        r, size = self.random, SIZE[kind]
        name, _, elements = r.choice(self.of_type(kind))
        while True:
            hs = r.choice((1, 1, 1, 2, 4))
            offsets = [i * hs * size for i in range(lanes)]
            if max(offsets) + size > 64:
                continue
            first = self.place(kind, elements, offsets)
            if first is None:
                continue
            if self.profile.agreed and first % 32 and first % 32 + max(offsets) + size > 32:
                continue
            return f"{name}({first // 32},{first % 32 // size})<{hs}>", name

    def mask(self, lanes, most=None):
        r = self.random
        offsets = [o for o in range(0, self.LANES, max(lanes, 4)) if o % lanes == 0]
        if self.profile.agreed:  # of temporaries, the second four of eight channels are taken for the first
            offsets = [0] if lanes == 1 else [o for o in offsets if o % 8 == 0]
        nomask = "_NM" if r.random() < 0.2 or lanes < 4 else ""
        return f"(M{r.choice(offsets) // 4 + 1}{nomask}, {lanes})"

    def predicate(self, mask=""):
        r = self.random
        if r.random() < 0.75 or ("_NM" in mask and not self.may_ask_all()):
            return ""
        name, elements = r.choice([p for p in self.predicates if p[1] >= 16])
        combine = r.choice(("", "", "", ".any", ".all"))
        if combine and self.profile.agreed:
            combine = ""
        return f"({r.choice(('', '!'))}{name}{combine}) "

    def may_ask_all(self):
        """Whether bits of predicates may be used for channels that were not dispatched (l)."""
        return not self.profile.agreed or self.channels == (1 << self.LANES) - 1

    def extent(self, operand, kind, lanes):
        """(variable, first byte, byte after the last) of what it names directly; of immediates None."""
        found = re.search(r"(\w+)\((\d+),(\d+)\)<(?:(\d+);(\d+),)?(\d+)>", operand)
        if not found:
            return None
        row, column, vs, w, hs = (int(x) if x else None for x in found.groups()[1:])
        last = (lanes - 1) * hs if w is None else (lanes // w - 1) * vs + (w - 1) * hs
        first = row * self.REGISTER + column * SIZE[kind]
        return found[1], first, first + (last + 1) * SIZE[kind]

    def apart(self, written, sources, lanes):
        """Whether what is split can be right: its halves write nothing that later ones read (h). Operands with their types."""
        for name, first, end in (self.extent(*x, lanes) for x in written):
            for other in (self.extent(*x, lanes) for x in sources):
                if self.profile.agreed and other and other[0] == name and other[1] < end and first < other[2]:
                    return False
        return True

    def in_one_register(self, operand, kind, lanes):
        """Whether all its elements lie in one register; of immediates there are none."""
        found = self.extent(operand, kind, lanes)
        return not found or found[1] // self.REGISTER == (found[2] - 1) // self.REGISTER

    def lanes(self, kind):
        return self.random.choice([n for n in (1, 2, 4, 8, 16) if n * SIZE[kind] <= 64])

    # --- statements
    def statement(self):
        r = self.random
        pick = r.random()
        if pick < 0.55:
            self.computation()
        elif pick < 0.7:
            self.move()
        elif pick < 0.78:
            self.compare()
        elif pick < 0.84:
            self.select()
        elif pick < 0.92 and self.depth < 2:
            self.branch()
        elif pick < 0.94 and self.depth < 1:
            self.loop()
        elif pick < 0.955 and self.depth < 1:
            self.call()
        else:
            r.choice((self.memory, self.local, self.indirect))()

    def computation(self):
        r = self.random
        mnemonic, text, types, modifiers, traits = r.choice(self.rows)
        kind = r.choice(types)
        if not self.is_possible(mnemonic, kind):
            return
        lanes = self.lanes(kind)
        if mnemonic in ("addc", "subb"):
            lanes = min(lanes, 8)
        if mnemonic in ("bfe", "bfi", "lrp", "mad") and lanes < 4:
            lanes = 8 if SIZE[kind] <= 4 else 4
        saturates = "sat" in traits.split("|") or ("sat_float" in traits.split("|") and kind in ("f", "hf", "df"))
        sat = ".sat" if saturates and r.random() < 0.15 else ""
        if self.profile.agreed and (mnemonic == "mulh" or mnemonic in ("div", "mod") and kind == "d"):
            modifiers = "none"  # on bdw the low words of a modified source are taken without it (n); those of division are copied (q)
        for _ in range(20):
            mask = self.mask(lanes)
            written, sources = self.operands(mnemonic, text, kind, lanes, modifiers)
            if not self.profile.agreed or self.is_agreed(mnemonic, kind, lanes, mask, written, sources):
                break
        else:
            return
        predicate = "" if mnemonic in ("min", "max", "addc", "subb") else self.predicate(mask)
        if self.profile.agreed and kind == "hf":
            predicate = ""  # channels that are off get what stands in a temporary
        self.lines.append(f"{predicate}{mnemonic}{sat} {mask} {' '.join(written + sources)}")

    def is_agreed(self, mnemonic, kind, lanes, mask, written, sources):
        """Whether GenX_IR makes right code of it, as far as operands decide."""
        if not self.apart([(x, kind) for x in written], [(x, kind) for x in sources], lanes):
            return False
        crosses = [not self.in_one_register(x, kind, lanes) for x in written + sources]
        on_bdw = self.profile.device == "bdw"
        if mnemonic in ("min", "max") and on_bdw and any(crosses) and "_NM" not in mask:
            return False  # split in two, of which both have the channels of the first (f)
        if mnemonic in ("mad", "lrp", "bfe", "bfi") and on_bdw and any(crosses) and "_NM" in mask and lanes == 8:
            return False  # what is copied for the last two of four channels is not where they read it (r)
        scalar = lanes > 1 and all("<" not in x or "<0;1," in x for x in sources)
        if mnemonic in ("addc", "subb") and (scalar or on_bdw and any(crosses)):
            return False  # carries are those of what was computed last, or of one channel (s)
        # one channel's result, but two are computed, and the other overwrites what stands beside it (u)
        return not (mnemonic == "mad" and kind == "df" and scalar)

    def operands(self, mnemonic, text, kind, lanes, modifiers):
        """What is written, each in a variable of its own, and the sources."""
        written, sources, names = [], [], []
        for item in text:
            if item in ("d", "dp"):
                operand, name = self.destination(kind, lanes)
                while name in names:
                    operand, name = self.destination(kind, lanes)
                written.append(operand)
                names.append(name)
                if mnemonic in ("addc", "subb") and len(self.of_type(kind)) < 2 and len(names) == 1:
                    self.variables.append((f"Y{len(self.variables)}", kind, 16))
            elif item in ("s", "sl", "sg"):
                sources.append(self.source(kind, lanes, modifiers, len(sources) > 0))
        return written, sources

    def is_possible(self, mnemonic, kind):
        """What GenX_IR makes code for; what it refuses is refused by its rules, not by chance."""
        if kind in ("uq", "q") and mnemonic in ("mul", "min", "max", "avg", "div", "mod", "mad"):
            return False
        if kind == "df" and mnemonic in ("div", "sqrt", "inv", "rsqrt", "divm", "sqrtm", "rndd", "rndu", "rnde", "rndz"):
            return False
        if mnemonic in ("divm", "sqrtm"):
            return False
        if kind == "hf" and (self.profile.device == "bdw" or mnemonic in ("mad", "pow", "div")):
            return False
        if mnemonic == "mad" and kind not in ("f", "df", "d", "ud", "w", "uw"):
            return False
        if mnemonic in ("bfe", "bfi") and kind == "b" or mnemonic == "lzd" and kind == "d":
            return False
        return True

    def possible(self):
        """Mnemonics that can be drawn, of the rows and of what is drawn by itself."""
        return {row[0] for row in self.rows if any(self.is_possible(row[0], kind) for kind in row[2])} | {"mov", "cmp", "sel"}

    def mnemonics(self):
        """Those that were drawn."""
        lines = self.lines + [line for _, body in self.subroutines for line in body]
        return {re.sub(r"^\(\S+\) ", "", line).split()[0].split(".")[0] for line in lines}

    def move(self):
        r = self.random
        kinds = [k for k in SIZE if k != "hf" or self.profile.device != "bdw"]
        to, of = r.choice(kinds), r.choice(kinds)
        if self.profile.agreed and of == "df" and to in ("ub", "b"):
            return  # through a word (t)
        lanes = min(self.lanes(to), self.lanes(of))
        destination, _ = self.destination(to, lanes)
        # a half as immediate is taken for a number
        source = self.source(of, lanes, "none", not (self.profile.agreed and of == "hf"))
        if not self.apart([(destination, to)], [(source, of)], lanes):
            return
        mask = self.mask(lanes)
        predicate = self.predicate(mask)
        # bytes for every eighth byte get a temporary if some channels may be off, with a step that code cannot say (o)
        if self.profile.agreed and self.profile.device == "bdw" and of in ("ub", "b") and lanes == 4:
            step = int(destination[destination.index("<") + 1:-1]) * SIZE[to]
            if step == 8 and (predicate or "_NM" not in mask) and not self.in_one_register(source, of, lanes):
                return
        self.lines.append(f"{predicate}mov {mask} {destination} {source}")

    def compare(self):
        r = self.random
        kind = r.choice([k for k in SIZE if k != "hf" or self.profile.device != "bdw"])
        lanes = self.lanes(kind)
        relation = r.choice(("eq", "ne", "gt", "ge", "lt", "le"))
        name, elements = r.choice([p for p in self.predicates if p[1] >= 16])
        self.lines.append(f"cmp.{relation} {self.mask(lanes)} {name} {self.source(kind, lanes, 'arithmetic', False)} "
                          f"{self.source(kind, lanes, 'arithmetic')}")

    def select(self):
        r = self.random
        kind = r.choice([k for k in SIZE if k != "hf" or self.profile.device != "bdw"])
        lanes = self.lanes(kind)
        if self.profile.agreed and lanes < 4:
            return
        name, _ = r.choice([p for p in self.predicates if p[1] >= 16])
        destination, _ = self.destination(kind, lanes)
        sources = self.source(kind, lanes, "arithmetic", False), self.source(kind, lanes, "arithmetic")
        if self.apart([(destination, kind)], [(x, kind) for x in sources], lanes):
            mask = self.mask(lanes) if self.may_ask_all() else self.mask(lanes).replace("_NM", "")
            self.lines.append(f"({r.choice(('', '!'))}{name}) sel {mask} {destination} {' '.join(sources)}")

    def branch(self):
        r = self.random
        self.label += 1
        label = f"L{self.label}"
        name, _ = r.choice([p for p in self.predicates if p[1] == 16])
        self.lines.append(f"({r.choice(('', '!'))}{name}) goto (M1, {self.LANES}) {label}")
        self.depth += 1
        for _ in range(r.randrange(1, 4)):
            self.statement()
        self.depth -= 1
        self.lines.append(f"{label}:")

    def loop(self):
        """Channels leave one after the other: each counts down from a number of its own."""
        r = self.random
        self.label += 1
        label, counter, p = f"L{self.label}", f"C{self.label}", f"Q{self.label}"
        self.variables.append((counter, "d", 16))
        self.predicates.append((p, 16))
        self.lines.append(f"and (M1, 16) {counter}(0,0)<1> {counter}(0,0)<1;1,0> 0x3:d")
        self.lines.append(f"{label}:")
        self.depth += 1
        before = self.variables
        self.variables = [v for v in before if v[0] != counter]
        predicates, self.predicates = self.predicates, [x for x in self.predicates if x[0] != p]
        for _ in range(r.randrange(1, 4)):
            self.statement()
        added = [v for v in self.variables if v not in before]
        self.variables, self.predicates = before + added, predicates
        self.depth -= 1
        self.lines.append(f"add (M1, 16) {counter}(0,0)<1> {counter}(0,0)<1;1,0> -1:d")
        self.lines.append(f"cmp.gt (M1, 16) {p} {counter}(0,0)<1;1,0> 0x0:d")
        self.lines.append(f"({p}) goto (M1, 16) {label}")

    def memory(self):
        """Each channel has a dword of its own in memory: written, then read by another message."""
        r = self.random
        value, _, _ = r.choice(self.of_type("ud"))
        into, _, _ = r.choice(self.of_type("d"))
        half = r.choice((1, 3))
        own = (half - 1) * 4 * 8  # each channel's address has eight bytes
        self.lines.append(f"svm_scatter.4.1 (M{half}, 8) OWN.{own} {value}.0")
        self.lines.append(f"{self.predicate()}svm_gather.4.1 (M{half}, 8) OWN.{own} {into}.32")

    def local(self):
        """The same in shared local memory, for sixteen channels, and an operation on it."""
        r = self.random
        value, _, _ = r.choice(self.of_type("ud"))
        into, _, _ = r.choice([v for v in self.of_type("d") if v[2] >= 32])
        self.lines.append(f"scatter4_scaled.R (M1, 16) %slm 0x0:ud PLACES.0 {value}.0")
        operation, operand = r.choice((("add", f"{value}.0"), ("inc", "%null.0"), ("xor", f"{value}.0")))
        self.lines.append(f"dword_atomic.{operation} (M1, 16) %slm PLACES.0 {operand} %null.0 %null.0")
        self.lines.append(f"{self.predicate()}gather4_scaled.R (M1, 16) %slm 0x0:ud PLACES.0 {into}.{r.choice((0, 32))}")

    def indirect(self):
        """An operand by addresses: one for all, or one for each row."""
        r = self.random
        self.label += 1
        # 0x1c bytes of INDEX, 32 of offset and eight dwords have to lie in the variable
        large = [v for v in self.of_type("ud") + self.of_type("d") if v[2] >= 32]
        address, name = f"A{len(self.addresses)}", r.choice(large)
        self.addresses.append(address)
        words = r.choice(self.of_type("uw"))[0]
        into, _ = self.destination("d", 8)
        self.lines.append(f"and (M1_NM, 8) INDEX(0,0)<1> {words}(0,0)<1;1,0> 0x1c:uw")
        self.lines.append(f"addr_add (M1_NM, 8) {address}(0)<1> &{name[0]} INDEX(0,0)<1;1,0>")
        regions = ["<1,0>", "<0;1,0>", "<8;8,1>"] + ([] if self.profile.agreed else ["<2,0>", "<4,1>", "<4;4,1>", "<0;4,1>", "<1;2,0>"])
        source = f"r[{address}({r.choice((0, 0))}),{r.choice((0, 4, 32))}]{r.choice(regions)}:{name[1]}"
        other = self.source("d", 8, "none")
        if self.apart([(into, "d")], [(other, "d")], 8) and not (self.profile.agreed and into.startswith(name[0] + "(")):
            mask = self.mask(8)
            self.lines.append(f"{self.predicate(mask)}{r.choice(('add', 'xor', 'mul'))} {mask} {into} {source} {other}")

    def call(self):
        """A subroutine, for those channels that a predicate chooses."""
        r = self.random
        name = f"S{len(self.subroutines)}"
        before, self.lines = self.lines, []
        self.subroutines.append((name, self.lines))
        self.depth += 2
        for _ in range(r.randrange(1, 4)):
            self.statement()
        self.depth -= 2
        self.lines = before
        p, _ = r.choice([p for p in self.predicates if p[1] == 16])
        self.lines.append(f"{r.choice(('', f'({p}) '))}call (M1, {self.LANES}) {name}")

    # --- the whole
    def inputs(self):
        """(name, type, elements, byte of the register file) of all that is filled at the start."""
        at, all_of_them = 32, []
        for name, kind, elements in [("BASE", "uq", 4), ("OWN", "uq", 16), ("PLACES", "ud", 16), *self.variables]:
            all_of_them.append((name, kind, elements, at))
            at += (elements * SIZE[kind] + 31) // 32 * 32
        return all_of_them

    def outputs(self):
        """(name, bytes, place in memory)."""
        at, found = 0, []
        for name, kind, elements in self.variables:
            size = (elements * SIZE[kind] + 31) // 32 * 32
            found.append((name, size, at))
            at += size
        found.append(("PREDICATES", 128, at))
        return found

    OUT, OWN_PLACE = 0x10000, 0x8000

    def text(self, lines=None):
        out = [".version 4.1", '.kernel "random"']
        for name, kind, elements, _ in self.inputs():
            out.append(f".decl {name} v_type=G type={kind} num_elts={elements} align=hword")
        out.append(".decl PREDICATES v_type=G type=ud num_elts=32 align=hword")
        out.append(".decl TO v_type=G type=uq num_elts=1 align=hword")
        out.append(".decl INDEX v_type=G type=uw num_elts=16 align=hword")
        out += [f".decl {name} v_type=A num_elts=16" for name in self.addresses]
        for name, elements in self.predicates:
            out.append(f".decl {name} v_type=P num_elts={elements}")
        for name, kind, elements, at in self.inputs():
            out.append(f".input {name} offset={at} size={elements * SIZE[kind]}")
        out += ['.kernel_attr Target="3d"', ".kernel_attr SimdSize=16", '.function "random_main"', "random_main:"]
        out.append("    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud")
        for n, (name, elements) in enumerate(self.predicates):
            out.append(f"    setp (M1_NM, {elements}) {name} 0x{(0x9E3779B9 * (n + 1) ^ self.seed * 2654435761) & 0xFFFFFFFF:x}:ud")
        for line in self.lines if lines is None else lines:
            out.append(line if line.endswith(":") else "    " + line)
        out.append("    mov (M1_NM, 16) PREDICATES(0,0)<1> 0x0:ud")
        out.append("    mov (M1_NM, 16) PREDICATES(2,0)<1> 0x0:ud")
        for n, (name, elements) in enumerate(self.predicates):
            out.append(f"    mov (M1_NM, 1) PREDICATES({n // 8},{n % 8})<1> {name}")
            out.append(f"    and (M1_NM, 1) PREDICATES({n // 8},{n % 8})<1> PREDICATES({n // 8},{n % 8})<0;1,0> "
                       f"0x{self.kept(elements):x}:ud")
        for name, size, at in self.outputs():
            for part in range(0, size, 128):
                n = min(128, size - part)
                out.append(f"    add (M1_NM, 1) TO(0,0)<1> BASE(0,0)<0;1,0> 0x{at + part:x}:d")
                out.append(f"    svm_block_st ({n // 16}) TO(0,0)<0;1,0> {name}.{part}")
        out.append("    ret (M1, 1)")
        for name, body in self.subroutines:
            if lines is None or any(line.endswith(f" {name}") for line in lines):
                out += [f'.function "{name}"', f"{name}:"]
                out += [line if line.endswith(":") else "    " + line for line in body]
                out.append(f"    ret (M1, {self.LANES})")
        return "\n".join(out) + "\n"

    def kept(self, elements):
        """Bits of a predicate to look at: GenX_IR lets those of channels that do not run go at a full-width cmp."""
        return self.channels & (1 << elements) - 1 if elements <= 16 or self.profile.agreed else (1 << elements) - 1

    def registers(self):
        """Values for --grf: one option for each register."""
        r = random.Random(self.seed ^ 0x5EED)
        data = bytearray(128 * 32)
        for name, kind, elements, at in self.inputs():
            size = SIZE[kind]
            for n in range(elements):
                if name == "BASE":
                    value = self.OUT
                elif name == "OWN":
                    value = self.OWN_PLACE + n * 4
                elif name == "PLACES":
                    value = n * 4
                else:
                    value = self.value(r, kind)
                data[at + n * size:at + (n + 1) * size] = value.to_bytes(size, "little")
        end = max(at + elements * SIZE[kind] for _, kind, elements, at in self.inputs())
        found = []
        for reg in range(1, (end + 31) // 32):
            words = [int.from_bytes(data[reg * 32 + 4 * n:reg * 32 + 4 * n + 4], "little") for n in range(8)]
            found.append(f"r{reg}={','.join(f'0x{w:x}' for w in words)}:ud")
        return found

    @staticmethod
    def value(r, kind):
        import struct
        if kind in ("f", "hf", "df"):
            code = {"f": "f", "hf": "e", "df": "d"}[kind]
            number = r.choice((0.0, 1.0, -1.5, r.uniform(-4, 4), r.uniform(-1000, 1000), r.uniform(-1e4, 1e4), 0.5, -0.0))
            return int.from_bytes(struct.pack("<" + code, number), "little")
        bits = SIZE[kind] * 8
        return r.choice((0, 1, (1 << bits) - 1, r.randrange(0, 32), r.getrandbits(bits), r.getrandbits(bits),
                         1 << (bits - 1)))
