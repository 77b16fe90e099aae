import CNcurses

/// Turns looks into attributes and colour pairs of ncurses; makes each pair on its first use.
@MainActor
struct Palette {
    struct Ink {
        var traits: attr_t
        var pair: Int16
    }

    private struct Colors: Equatable {
        var foreground: Int16
        var background: Int16
    }

    private let theme: Theme
    /// Pair n is at index n - 1.
    private var pairs: [Colors] = []
    private var inks: [(style: Style, ink: Ink)] = []
    private let pairCount: Int

    init(theme: Theme) {
        self.theme = theme
        // alloc_pair crashes without colours.
        guard theme.depth != .none, start_color() == OK else {
            pairCount = 0
            return
        }
        use_default_colors()
        pairCount = Int(ombi_color_pairs())
    }

    mutating func ink(for style: Style) -> Ink {
        if let known = inks.first(where: { $0.style == style }) { return known.ink }
        let look = theme.look(of: style)
        let ink = Ink(traits: Self.attributes(look.traits), pair: pair(look))
        inks.append((style, ink))
        return ink
    }

    private mutating func pair(_ look: Look) -> Int16 {
        if theme.depth == .none || look.foreground == nil && look.background == nil { return 0 }
        let colors = Colors(
            foreground: look.foreground.map(Int16.init) ?? -1, background: look.background.map(Int16.init) ?? -1)
        if let known = pairs.firstIndex(of: colors) { return Int16(known + 1) }
        let number = Int16(pairs.count + 1)
        guard pairs.count + 1 < pairCount,
            init_pair(number, colors.foreground, colors.background) == OK
        else { return 0 }
        pairs.append(colors)
        return number
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
