import CNcurses

/// Turns looks into attributes and colour pairs of ncurses; makes each pair on its first use.
@MainActor
struct Palette {
    struct Ink {
        var traits: attr_t
        var pair: Int32
    }

    private struct Colors: Equatable {
        var foreground: Int16
        var background: Int16
    }

    private var theme: Theme
    /// Pair n is at index n - 1.
    private var pairs: [Colors] = []
    private var inks: [(style: Style, ink: Ink)] = []
    private var last = 0
    private var picturePairs: [PixelPair: Int32] = [:]
    private var lacksPairs = false
    private let pairCount: Int32

    /// The pairs below it are those of looks, of which there are a few dozen.
    private static let firstPicturePair: Int32 = 256

    /// - Parameters:
    ///   - choice: the theme that the settings name.
    ///   - plain: true for no colours, even when the terminal has them (`NO_COLOR`).
    ///   - maximumPairs: the maximum number of pairs, even when the terminal has more.
    ///   - background: the background of the terminal's window, if known.
    init(_ choice: ThemeChoice, plain: Bool, background: Background?, maximumPairs: Int32) {
        // alloc_pair crashes without colours, and start_color succeeds without them: only has_colors is reliable.
        guard !plain, choice.base != .none, has_colors(), start_color() == OK else {
            theme = Theme(choice, depth: .none)
            pairCount = 0
            return
        }
        use_default_colors()
        theme = Theme(choice, depth: ColorDepth(colors: Int(ombi_colors())), background: background)
        pairCount = min(ombi_color_pairs(), maximumPairs)
    }

    var depth: ColorDepth { theme.depth }
    /// True while the colours depend on the background that the terminal reports.
    var adapts: Bool { theme.adapts }

    /// Chooses colours for that background; nil for a terminal that does not report it.
    /// - Returns: true when looks have changed; everything must be redrawn then.
    mutating func adapt(to background: Background?) -> Bool {
        let isOther = background.map { theme.adapt(to: $0) } ?? theme.adaptToUnknownBackground()
        guard isOther else { return false }
        inks = []
        return true
    }

    mutating func ink(for style: Style) -> Ink {
        // Neighbours mostly look the same, and a screen has a dozen looks: no need for a hash.
        if last < inks.count, inks[last].style == style { return inks[last].ink }
        // A closure here would check each time that it is on the main thread.
        for known in inks.indices where inks[known].style == style {
            last = known
            return inks[known].ink
        }
        let look = theme.look(of: style)
        let ink = Ink(traits: Self.attributes(look.traits), pair: pair(look))
        last = inks.count
        inks.append((style, ink))
        return ink
    }

    private mutating func pair(_ look: Look) -> Int32 {
        if theme.depth == .none || look.foreground == nil && look.background == nil { return 0 }
        let colors = Colors(
            foreground: look.foreground.map(Int16.init) ?? -1, background: look.background.map(Int16.init) ?? -1)
        if let known = pairs.firstIndex(of: colors) { return Int32(known + 1) }
        let number = Int32(pairs.count + 1)
        guard number < min(pairCount, Self.firstPicturePair),
            init_pair(Int16(number), colors.foreground, colors.background) == OK
        else { return 0 }
        pairs.append(colors)
        return number
    }

    /// The attributes of a cell as a terminal like xterm has them; nil for a piece of a picture.
    func textAttributes(of cell: cchar_t) -> TextAttributes? {
        let pair = Int(cell.ext_color)
        guard pair <= pairs.count else { return nil }
        let colors = pair > 0 ? pairs[pair - 1] : Colors(foreground: -1, background: -1)
        let flags = [(OMBI_BOLD, 1), (OMBI_DIM, 2), (OMBI_ITALIC, 3), (OMBI_UNDERLINE, 4), (OMBI_REVERSE, 7)]
        return TextAttributes(
            flags: flags.filter { cell.attr & $0.0 != 0 }.map(\.1),
            foreground: colors.foreground < 0 ? nil : Int(colors.foreground),
            background: colors.background < 0 ? nil : Int(colors.background))
    }

    /// The pair for two pixels, the upper one in the foreground; nil when the terminal has too few colours or pairs.
    mutating func pair(for pixels: PixelPair) -> Int32? {
        guard theme.depth == .many else { return nil }
        if let known = picturePairs[pixels] { return known }
        let number = Self.firstPicturePair + Int32(picturePairs.count)
        guard number < pairCount,
            ombi_set_pair(number, Int32(pixels.upper), pixels.lower.map(Int32.init) ?? -1) == OK
        else {
            lacksPairs = true
            return nil
        }
        picturePairs[pixels] = number
        return number
    }

    /// Frees the pairs of pictures when none is left.
    /// - Returns: true when it did; everything must be redrawn then.
    mutating func forgetPictures() -> Bool {
        defer { lacksPairs = false }
        guard lacksPairs, !picturePairs.isEmpty else { return false }
        picturePairs = [:]
        return true
    }

    private static func attributes(_ traits: Traits) -> attr_t {
        var attributes: attr_t = 0
        if traits.contains(.bold) { attributes |= OMBI_BOLD }
        if traits.contains(.dim) { attributes |= OMBI_DIM }
        if traits.contains(.underline) { attributes |= OMBI_UNDERLINE }
        if traits.contains(.reverse) { attributes |= OMBI_REVERSE }
        if traits.contains(.italic) { attributes |= OMBI_ITALIC }
        return attributes
    }
}
