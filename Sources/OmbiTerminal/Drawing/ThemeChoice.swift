/// A theme as settings name it: one that is built in, and a user's colours over it.
package struct ThemeChoice: Equatable, Sendable {
    package enum Base: String, CaseIterable, Sendable {
        /// Dark or light, by the background that the terminal reports.
        case auto
        case dark, light
        /// At least 7:1, on a dark or a light background.
        case highContrast = "high-contrast"
        /// The terminal's own first colours.
        case basic = "16-colours"
        case none
    }

    package var base: Base
    /// A user's colours for roles; nil stands for the terminal's own.
    private var colors: [(role: Role, color: UInt8?)] = []
    /// A user's background of the row under the cursor.
    package var highlight: UInt8?

    package static let auto = ThemeChoice(.auto)

    package init(_ base: Base) { self.base = base }

    /// Gives a role a colour of the palette of 256; nil for the terminal's own.
    package mutating func set(_ role: Role, to color: UInt8?) {
        colors.removeAll { $0.role == role }
        colors.append((role, color))
        colors.sort { $0.role.rawValue < $1.role.rawValue }
    }

    package static func == (left: ThemeChoice, right: ThemeChoice) -> Bool {
        left.base == right.base && left.highlight == right.highlight
            && left.colors.elementsEqual(right.colors) { $0.role == $1.role && $0.color == $1.color }
    }

    /// The background that the theme is for; nil when the terminal says.
    var background: Background? {
        switch base {
        case .dark: .dark
        case .light: .light
        case .auto, .highContrast, .basic, .none: nil
        }
    }

    func depth(on depth: ColorDepth) -> ColorDepth {
        switch base {
        case .none: .none
        case .basic: depth == .many ? .sixteen : depth
        case .auto, .dark, .light, .highContrast: depth
        }
    }

    /// The look of a role with the user's colour, which is the background where the base has one.
    func look(of role: Role, over base: Look) -> Look {
        guard let chosen = colors.first(where: { $0.role == role }) else { return base }
        var look = base
        guard base.background != nil else {
            look.foreground = chosen.color
            return look
        }
        look.background = chosen.color
        look.foreground = chosen.color.map(Contrast.text(on:))
        return look
    }

    /// The lowest contrast of a role on the backgrounds that a dark or a light theme is for, and on the highlight; nil where
    /// a colour is the terminal's own.
    package func contrast(of role: Role) -> Double? {
        let theme = Theme(self, depth: .many)
        return [Traits(), .highlight].compactMap { traits in
            let look = theme.look(of: Style(role, traits))
            guard let foreground = look.foreground.flatMap(PaletteColor.rgb) else { return nil }
            let grounds = look.background.map { [PaletteColor.rgb($0)] } ?? Contrast.grounds(background)
            return grounds.compactMap { $0.map { Contrast.ratio(foreground, $0) } }.min()
        }.min()
    }
}
