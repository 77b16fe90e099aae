import OmbiDocument

@testable import OmbiTerminal

/// Drawn screens as a picture in SVG, in the colours of the dark theme: one stands still, several follow each other. It
/// needs neither scripts nor other files, and each piece of text is as wide as its cells, whatever the font.
struct ScreenPicture {
    struct Frame {
        var surface: Surface
        /// The time for which it shows.
        var milliseconds: Int
    }

    private let frames: [Frame]
    /// The looks so far, as declarations of CSS.
    private var looks: [String] = []
    /// The frames in which rows show that change.
    private var spans: [Range<Int>] = []

    private static let theme = Theme(ThemeChoice(.dark), depth: .many)
    private static let cell = Size(columns: 8, rows: 18)
    private static let baseline = 13
    private static let margin = 8
    private static let foreground = RGB(215, 215, 215)
    private static let background = RGB(30, 30, 30)
    private static let fonts = "ui-monospace,'SF Mono',Menlo,'DejaVu Sans Mono',Consolas,monospace"

    private init(frames: [Frame]) { self.frames = frames }

    /// Returns the picture of a screen.
    static func svg(_ title: String, of surface: Surface) -> String {
        svg(title, of: [Frame(surface: surface, milliseconds: 0)])
    }

    /// Returns the picture of screens of one size that follow each other, again and again.
    static func svg(_ title: String, of frames: [Frame]) -> String {
        var picture = ScreenPicture(frames: frames)
        let rows = picture.rows()
        return picture.document(title, rows)
    }

    // MARK: Rows

    /// The elements of all rows; a row that is the same in several frames is drawn once.
    private mutating func rows() -> [String] {
        var rows: [String] = []
        for row in 0..<(frames.first?.surface.size.rows ?? 0) {
            var start = 0
            for end in 1...frames.count
            where end == frames.count || !frames[end].surface.hasSameRow(row, as: frames[start].surface) {
                rows.append(group(row, start..<end))
                start = end
            }
        }
        return rows.filter { !$0.isEmpty }
    }

    private mutating func group(_ row: Int, _ span: Range<Int>) -> String {
        var content = ""
        for run in ScreenRun.runs(of: row, in: frames[span.lowerBound].surface, Self.theme) {
            content += element(run, row)
        }
        guard span.count < frames.count, !content.isEmpty else { return content }
        if !spans.contains(span) { spans.append(span) }
        return "<g class=\"\(Self.name(of: span))\">\(content)</g>"
    }

    // MARK: Elements

    private mutating func element(_ run: ScreenRun, _ row: Int) -> String {
        let (x, y, width) = (run.column * Self.cell.columns, row * Self.cell.rows, run.columns * Self.cell.columns)
        let ground = Self.colors(of: run.look).background.map { color in
            "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(Self.cell.rows)\" fill=\"\(color)\"/>"
        }
        guard let scalar = run.text.unicodeScalars.first, run.kind != .text else {
            return (ground ?? "") + text(run, y)
        }
        if let block = BlockShape(scalar) {
            let (columns, rows) = (width * block.width / 8, Self.cell.rows * block.height / 8)
            let place = "x=\"\(x)\" y=\"\(y + Self.cell.rows - rows)\" width=\"\(columns)\" height=\"\(rows)\""
            let opacity = Double(block.opacity) / 100
            return (ground ?? "")
                + "<rect\(attribute(run.look)) \(place) fill=\"currentColor\" fill-opacity=\"\(opacity)\"/>"
        }
        guard let lines = BoxLines(scalar) else { return (ground ?? "") + text(run, y) }
        var element = ground ?? ""
        for weight in [BoxLines.Weight.light, .heavy] {
            let data = lines.path(weight, x: x, y: y, width: width, height: Self.cell.rows)
            guard !data.isEmpty else { continue }
            element += "<path\(attribute(run.look, weight == .light ? "l" : "h")) d=\"\(data)\"/>"
        }
        return element
    }

    private mutating func text(_ run: ScreenRun, _ y: Int) -> String {
        let run = run.trimmed
        guard !run.text.isEmpty else { return "" }
        let length = run.columns > 1 ? " textLength=\"\(run.columns * Self.cell.columns)\"" : ""
        return
            "<text\(attribute(run.look)) x=\"\(run.column * Self.cell.columns)\" y=\"\(y + Self.baseline)\"\(length)>"
            + Self.escaped(run.text) + "</text>"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(character)
            }
        }
    }

    // MARK: Looks

    /// The class of a look, with one more name; nothing for plain text.
    private mutating func attribute(_ look: Look, _ more: String = "") -> String {
        let style = Self.style(of: look)
        var names = [more]
        if !style.isEmpty {
            if !looks.contains(style) { looks.append(style) }
            names.append("c\(looks.firstIndex(of: style) ?? 0)")
        }
        let text = names.filter { !$0.isEmpty }.joined(separator: " ")
        return text.isEmpty ? "" : " class=\"\(text)\""
    }

    private static func style(of look: Look) -> String {
        let color = colors(of: look).foreground
        var style = color == hex(foreground) ? "" : "color:\(color);"
        if look.traits.contains(.bold) { style += "font-weight:bold;" }
        if look.traits.contains(.dim) { style += "opacity:.7;" }
        if look.traits.contains(.italic) { style += "font-style:italic;" }
        if look.traits.contains(.underline) { style += "text-decoration:underline;" }
        return style
    }

    private static func colors(of look: Look) -> (foreground: String, background: String?) {
        let front = hex(look.foreground.flatMap(PaletteColor.rgb) ?? foreground)
        let back = look.background.flatMap(PaletteColor.rgb).map(hex)
        return look.traits.contains(.reverse) ? (back ?? hex(background), front) : (front, back)
    }

    private static func hex(_ color: RGB) -> String {
        let digits = [color.red, color.green, color.blue].map { part in
            (part < 16 ? "0" : "") + String(part, radix: 16)
        }
        return "#" + digits.joined()
    }

    // MARK: The document

    private func document(_ title: String, _ rows: [String]) -> String {
        let size = frames.first?.surface.size ?? Size(columns: 0, rows: 0)
        let width = size.columns * Self.cell.columns + 2 * Self.margin
        let height = size.rows * Self.cell.rows + 2 * Self.margin
        let box = "\(-Self.margin) \(-Self.margin) \(width) \(height)"
        let extent = "width=\"\(width)\" height=\"\(height)\""
        let ground = "x=\"\(-Self.margin)\" y=\"\(-Self.margin)\" \(extent)"
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" \(extent) viewBox=\"\(box)\" xml:space=\"preserve\">",
            "<title>\(Self.escaped(title))</title>", "<style>",
            "svg{color:\(Self.hex(Self.foreground));font:13.3px \(Self.fonts)}", "text{fill:currentColor}",
            "path{fill:none;stroke:currentColor;stroke-linecap:square}", ".l{stroke-width:1.2}", ".h{stroke-width:2.4}",
        ]
        lines += looks.indices.map { ".c\($0){\(looks[$0])}" }
        lines += film
        lines += ["</style>", "<rect \(ground) rx=\"6\" fill=\"\(Self.hex(Self.background))\"/>"]
        lines += rows
        lines.append("</svg>")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The times at which rows show. Where nothing shall move, the last frame stands still.
    private var film: [String] {
        guard !spans.isEmpty else { return [] }
        let total = frames.reduce(0) { $0 + $1.milliseconds }
        let rules = spans.map { span in
            let (name, isLast) = (Self.name(of: span), span.upperBound == frames.count)
            let start = span.lowerBound == 0 ? "" : "0%{opacity:0}"
            let end = isLast ? "" : "\(share(span.upperBound, total)){opacity:0}"
            let still = isLast ? 1 : 0
            return ".\(name){opacity:\(still);animation:\(name) \(total)ms step-end infinite}\n@keyframes \(name){"
                + "\(start)\(share(span.lowerBound, total)){opacity:1}\(end)100%{opacity:\(still)}}"
        }
        return rules + ["@media(prefers-reduced-motion:reduce){g{animation:none!important}}"]
    }

    /// The time before a frame, in percent of all.
    private func share(_ index: Int, _ total: Int) -> String {
        let before = frames.prefix(index).reduce(0) { $0 + $1.milliseconds }
        return "\(Double(10_000 * before / max(1, total)) / 100)%"
    }

    private static func name(of span: Range<Int>) -> String { "f\(span.lowerBound)-\(span.upperBound)" }
}
