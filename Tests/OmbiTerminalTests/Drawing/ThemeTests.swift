import OmbiDocument
import Testing

@testable import OmbiTerminal

struct ThemeTests {
    @Test(arguments: Role.allCases)
    func everyRoleFitsItsDepth(_ role: Role) {
        let style = Style(role)
        #expect(Theme(depth: .none).look(of: style).foreground == nil)
        #expect(Theme(depth: .none).look(of: style).background == nil)
        #expect((Theme(depth: .eight).look(of: style).foreground ?? 0) < 8)
        #expect((Theme(depth: .sixteen).look(of: style).foreground ?? 0) < 16)
    }

    @Test(arguments: ColorDepth.allCases)
    func whatMustStandOutDoesAtEachDepth(_ depth: ColorDepth) {
        for theme in [nil, Background.dark, .light].map({ Theme(depth: depth, background: $0) }) {
            let plain = theme.look(of: .plain)
            for role in [Role.failure, .alarm, .match, .focusedBorder] {
                #expect(theme.look(of: Style(role)) != plain, "\(role)")
            }
            #expect(theme.look(of: Style(.plain, .highlight)) != plain)
            #expect(theme.look(of: Style(.border)) != theme.look(of: Style(.focusedBorder)))
            #expect(theme.look(of: Style(.plain, .underline)).traits == .underline)
        }
    }

    @Test(arguments: Role.allCases) func `a highlighted text keeps its colour`(role: Role) {
        let theme = Theme(depth: .many, background: .dark)
        #expect(theme.look(of: Style(role, .highlight)).foreground == theme.look(of: Style(role)).foreground)
    }

    /// The lightest and the darkest background that each theme is for.
    @Test(arguments: [
        (Background.dark, [RGB(0, 0, 0), RGB(30, 30, 30)]), (.light, [RGB(255, 255, 255), RGB(253, 246, 227)]),
    ])
    func `every text has a contrast of 4.5 to 1 on its background and on the highlight`(
        background: Background, colors: [RGB]
    ) {
        let theme = Theme(depth: .many, background: background)
        for role in Role.allCases {
            for traits in role == .border ? [Traits()] : [Traits(), .highlight] {
                let look = theme.look(of: Style(role, traits))
                guard let foreground = look.foreground.map(Self.color) else { continue }
                for ground in look.background.map({ [Self.color($0)] }) ?? colors {
                    let contrast = Self.contrast(foreground, ground)
                    #expect(contrast >= (role == .border ? 3 : 4.5), "\(role) on \(ground) has \(contrast)")
                }
            }
        }
    }

    @Test func `until the background is known, every text is readable on black and on white`() {
        let theme = Theme(depth: .many)
        for role in Role.allCases {
            let look = theme.look(of: Style(role))
            guard let foreground = look.foreground.map(Self.color), look.background == nil else { continue }
            for ground in [RGB(0, 0, 0), RGB(255, 255, 255)] {
                #expect(Self.contrast(foreground, ground) >= 4.4, "\(role)")
            }
        }
    }

    @Test(arguments: [
        ("15;0", Background.dark), ("0;15", .light), ("0;default;7", .light), ("7;8", .dark), ("x", nil), ("", nil),
        ("0;99", nil),
    ])
    func `COLORFGBG ends with the background`(text: String, background: Background?) {
        #expect(Background(colorFGBG: text) == background)
    }

    // MARK: WCAG 2.2, relative luminance and contrast ratio

    private static func contrast(_ one: RGB, _ other: RGB) -> Double {
        let (first, second) = (luminance(one), luminance(other))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    private static func luminance(_ color: RGB) -> Double {
        func linear(_ value: UInt8) -> Double {
            let part = Double(value) / 255
            guard part > 0.03928 else { return part / 12.92 }
            // (x + 0.055) / 1.055 to the power of 2.4, as x² times the fifth root of x².
            let base = (part + 0.055) / 1.055
            var root = base
            for _ in 0..<60 {
                root -= (root * root * root * root * root - base * base) / (5 * root * root * root * root)
            }
            return base * base * root
        }
        return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }

    /// The colour of a number of the palette, from 16 on.
    private static func color(_ number: UInt8) -> RGB {
        guard number < 232 else {
            let grey = 8 + 10 * (number - 232)
            return RGB(grey, grey, grey)
        }
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        let index = Int(number) - 16
        return RGB(levels[index / 36], levels[index / 6 % 6], levels[index % 6])
    }
}
