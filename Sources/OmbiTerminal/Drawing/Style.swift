import OmbiDocument

/// The meaning of a cell, and its emphasis beyond that.
package struct Style: Hashable, Sendable {
    package var role: Role
    package var traits: Traits

    package init(_ role: Role, _ traits: Traits = []) {
        self.role = role
        self.traits = traits
    }

    package static let plain = Style(.plain)

    package func adding(_ more: Traits) -> Style { Style(role, traits.union(more)) }
}

/// The emphasis of a text in addition to its role; apart from `highlight`, the whole look on a terminal without
/// colours.
package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    // Inlinable, since every `[]` of another module is made by it.
    @inlinable
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// In place of the general one, which is slow in other modules.
    package init(arrayLiteral traits: Traits...) {
        rawValue = traits.reduce(0) { $0 | $1.rawValue }
    }

    package static let bold = Traits(rawValue: 1)
    package static let dim = Traits(rawValue: 2)
    package static let underline = Traits(rawValue: 4)
    package static let reverse = Traits(rawValue: 8)
    package static let italic = Traits(rawValue: 16)
    /// The row under the cursor: another background if there are colours for it, otherwise reversed.
    package static let highlight = Traits(rawValue: 32)
}

/// The look of a cell: palette numbers and traits. A nil colour is the terminal's default, so that light and dark
/// backgrounds both stay as the user chose them.
struct Look: Equatable, Sendable {
    var foreground: UInt8?
    var background: UInt8?
    var traits: Traits = []
}

/// Characters from dark to bright, for terminals without the colours for a picture.
package enum Shade {
    private static let ramp: [Unicode.Scalar] = Array(" .:-=+*#%@".unicodeScalars)

    /// - Parameter luminance: from 0, black, to 255, white.
    package static func scalar(for luminance: Int) -> Unicode.Scalar {
        ramp[min(ramp.count - 1, max(0, luminance) * ramp.count / 256)]
    }
}

/// The meaning of a text on the screen. Panes set roles; `Theme` alone decides their look.
package enum Role: UInt8, CaseIterable, Sendable {
    case plain, dim, title, border, focusedBorder
    /// A name in a JSON object.
    case key
    case string, number
    /// `true`, `false` and `null`.
    case literal
    case punctuation
    /// Colours that distinguish kinds; the program assigns their meanings.
    case red, green, yellow, blue, magenta, cyan, brightGreen, brightBlue
    /// Emphasized by weight on terminals with fewer than 256 colours.
    case strong
    case success, warning, failure, running, info
    /// A part of only the newer, or only the older, of two bodies.
    case added, removed
    /// A part of a text that something else replaces.
    case placeholder
    case footerKey
    case match
    case gauge, gaugeEmpty
    /// A warning, which must not be overlooked.
    case alarm
}

extension TextStyle {
    package var role: Role {
        switch self {
        case .plain, .emphasis: .plain
        case .key, .tag: .key
        case .string, .code: .string
        case .number: .number
        case .literal: .literal
        case .punctuation, .comment: .punctuation
        case .heading: .title
        case .link: .info
        case .added: .added
        case .removed: .removed
        case .control, .invalid: .warning
        }
    }
}

/// The fixed part of the palette of 256 colours: a cube of 6x6x6 from 16 on, and 24 greys from 232 on. The first 16 are
/// up to the user's settings.
package enum PaletteColor {
    private static let levels = [0, 95, 135, 175, 215, 255]

    /// The names of the first 16 colours.
    package static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "brightBlack", "brightRed",
        "brightGreen", "brightYellow", "brightBlue", "brightMagenta", "brightCyan", "brightWhite",
    ]

    /// The colour of a number; nil below 16.
    package static func rgb(_ number: UInt8) -> RGB? {
        guard number >= 16 else { return nil }
        guard number < 232 else {
            let grey = 8 + 10 * (number - 232)
            return RGB(grey, grey, grey)
        }
        let index = Int(number) - 16
        return RGB(UInt8(levels[index / 36]), UInt8(levels[index / 6 % 6]), UInt8(levels[index % 6]))
    }

    package static func nearest(to color: RGB) -> UInt8 {
        let cube = [color.red, color.green, color.blue].map(nearestLevel)
        let inCube = RGB(UInt8(levels[cube[0]]), UInt8(levels[cube[1]]), UInt8(levels[cube[2]]))
        let step = min(23, max(0, (color.luminance - 3) / 10))
        let grey = UInt8(8 + 10 * step)
        let isGrey = distance(color, RGB(grey, grey, grey)) < distance(color, inCube)
        return UInt8(isGrey ? 232 + step : 16 + 36 * cube[0] + 6 * cube[1] + cube[2])
    }

    private static func nearestLevel(_ value: UInt8) -> Int {
        value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
    }

    /// The squared distance, with the weights of human colour perception: green most, and red more in reddish colours.
    private static func distance(_ one: RGB, _ other: RGB) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        let mean = (Int(one.red) + Int(other.red)) / 2
        return ((512 + mean) * red * red) / 256 + 4 * green * green + ((767 - mean) * blue * blue) / 256
    }
}

/// The number of colours of the terminal.
package enum ColorDepth: Equatable, Sendable, CaseIterable {
    /// No colours (`NO_COLOR`, vt100): roles differ by traits only.
    case none
    case eight, sixteen, many

    package init(colors: Int) {
        switch colors {
        case ..<8: self = .none
        case ..<16: self = .eight
        case ..<256: self = .sixteen
        default: self = .many
        }
    }
}
