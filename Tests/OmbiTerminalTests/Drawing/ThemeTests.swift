import OmbiDocument
import Testing

@testable import OmbiTerminal

struct ThemeTests {
    @Test(arguments: Role.allCases)
    func `every role fits its depth`(_ role: Role) {
        let style = Style(role)
        #expect(Theme(depth: .none).look(of: style).foreground == nil)
        #expect(Theme(depth: .none).look(of: style).background == nil)
        #expect((Theme(depth: .eight).look(of: style).foreground ?? 0) < 8)
        #expect((Theme(depth: .sixteen).look(of: style).foreground ?? 0) < 16)
    }

    @Test(arguments: ColorDepth.allCases)
    func `what must stand out does at each depth`(_ depth: ColorDepth) {
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

    @Test(arguments: [ThemeChoice.Base.auto, .dark, .light, .highContrast], Background.allCases)
    func `every text has a contrast of 4.5 to 1 on its background and on the highlight`(
        base: ThemeChoice.Base, background: Background
    ) {
        let choice = ThemeChoice(base)
        let theme = Theme(choice, depth: .many, background: background)
        let wanted = base == .highContrast ? 7 : 4.5
        for role in Role.allCases {
            for traits in role == .border ? [Traits()] : [Traits(), .highlight] {
                let look = theme.look(of: Style(role, traits))
                guard let foreground = look.foreground.flatMap(PaletteColor.rgb) else { continue }
                let ground = look.background.map { [PaletteColor.rgb($0)] }
                for ground in (ground ?? Contrast.grounds(choice.background ?? background)).compactMap({ $0 }) {
                    let contrast = Contrast.ratio(foreground, ground)
                    let least = role == .border && base != .highContrast ? 3 : wanted
                    #expect(contrast >= least, "\(role) on \(ground) has \(contrast)")
                }
            }
        }
    }

    /// The first 16 colours, which are up to the user, as two terminals have them by default.
    private static let palettes: [[Int]] = [
        // xterm (XTerm-col.ad).
        [
            0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000,
            0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
        ],
        // VGA, which the console of Linux has, too.
        [
            0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA, 0x555555, 0xFF5555,
            0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
        ],
    ]

    @Test(arguments: Background.allCases)
    func `every text in 16 colours has a contrast of 4.5 to 1, on the highlight, too`(background: Background) {
        let theme = Theme(ThemeChoice(.basic), depth: .many, background: background)
        let ground = background == .dark ? RGB(0, 0, 0) : RGB(255, 255, 255)
        for (palette, role) in Self.palettes.flatMap({ palette in Role.allCases.map { (palette, $0) } }) {
            for traits in [Traits(), .highlight] {
                let look = theme.look(of: Style(role, traits))
                // In reverse the two change places, and the contrast stays.
                #expect(look.background == nil, "\(role)")
                guard let number = look.foreground else { continue }
                let color = palette[Int(number)]
                let (red, green, blue) = (UInt8(color >> 16), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF))
                let contrast = Contrast.ratio(RGB(red, green, blue), ground)
                #expect(contrast >= Contrast.text, "\(role) in colour \(number) has \(contrast)")
            }
        }
    }

    @Test func `high contrast has neither colours nor dim text until the background is known`() {
        let theme = Theme(ThemeChoice(.highContrast), depth: .many)
        for role in Role.allCases {
            let look = theme.look(of: Style(role))
            #expect(look.foreground == nil && look.background == nil && !look.traits.contains(.dim), "\(role)")
        }
        #expect(theme.adapts)
    }

    @Test func `high contrast paints black where the terminal does not report its background`() {
        var theme = Theme(ThemeChoice(.highContrast), depth: .many)
        let changed = [theme.adaptToUnknownBackground(), theme.adaptToUnknownBackground()]
        #expect(changed == [true, false])
        for role in Role.allCases {
            for traits in [Traits(), .highlight] {
                let look = theme.look(of: Style(role, traits))
                let colours = [look.foreground, look.background].compactMap { $0.flatMap(PaletteColor.rgb) }
                #expect(colours.count == 2 && Contrast.ratio(colours[0], colours[1]) >= 7, "\(role)")
            }
        }
        let late = theme.adapt(to: .light)
        #expect(late && theme == Theme(ThemeChoice(.highContrast), depth: .many, background: .light))
        var auto = Theme(depth: .many)
        let others = auto.adaptToUnknownBackground()
        #expect(!others, "middle tones suit both")
    }

    @Test(arguments: ThemeChoice.Base.allCases) func `a theme that names its background follows no terminal`(
        base: ThemeChoice.Base
    ) {
        var theme = Theme(ThemeChoice(base), depth: .many)
        let adapts = base == .auto || base == .highContrast || base == .basic
        #expect(theme.adapts == adapts)
        let changes = [theme.adapt(to: .light), theme.adapt(to: .light)]
        #expect(changes == [adapts, false])
    }

    @Test func `sixteen colours are the terminal's own, and none is none`() {
        #expect(Theme(ThemeChoice(.basic), depth: .many).depth == .sixteen)
        #expect(Theme(ThemeChoice(.none), depth: .many).depth == .none)
        #expect(Theme(ThemeChoice(.basic), depth: .none).depth == .none)
    }

    @Test(arguments: [
        (ColorDepth.eight, Background?.none, UInt8(6)), (.eight, .dark, 6), (.eight, .light, 4), (.sixteen, nil, 12),
        (.sixteen, .dark, 14), (.sixteen, .light, 4),
    ])
    func `blue, which is dark in most palettes, is for light backgrounds`(
        depth: ColorDepth, background: Background?, number: UInt8
    ) {
        let theme = Theme(depth: depth, background: background)
        #expect(
            [Role.key, .blue, .brightBlue].map { theme.look(of: Style($0)).foreground } == [number, number, number])
    }

    @Test(arguments: [Role.yellow, .running, .warning, .number, .cyan, .title, .footerKey, .info, .gauge, .match])
    func `yellow and cyan, which are bright in most palettes, are for dark backgrounds`(role: Role) {
        for depth in [ColorDepth.eight, .sixteen] {
            let light = Theme(depth: depth, background: .light).look(of: Style(role)).foreground
            #expect(light != 3 && light != 6 && light != 11 && light != 14, "\(role)")
            let dark = Theme(depth: depth, background: .dark).look(of: Style(role)).foreground
            #expect(dark == 3 || dark == 6 || depth == .sixteen && dark == 11, "\(role)")
        }
    }

    @Test func `a row in reverse looks alike, whatever the colours of its words`() {
        for depth in [ColorDepth.eight, .sixteen, .many] {
            let theme = Theme(depth: depth)
            let looks = [Role.plain, .success, .failure, .key, .number].map { role in
                theme.look(of: Style(role, .highlight)).foreground
            }
            guard theme.look(of: Style(.plain, .highlight)).background == nil else { continue }
            #expect(looks.allSatisfy { $0 == nil }, "\(depth): \(looks)")
        }
    }

    @Test func `another theme takes the depth and the background of the terminal`() {
        var theme = Theme(ThemeChoice(.none), depth: .many, background: .light)
        theme.choose(ThemeChoice(.dark))
        #expect(theme == Theme(ThemeChoice(.dark), depth: .many, background: .light))
        theme.choose(.auto)
        #expect(theme == Theme(.auto, depth: .many, background: .light))
    }

    @Test func `sixteen colours follow the background that the terminal reports, and are never painted over`() {
        var theme = Theme(ThemeChoice(.basic), depth: .many)
        let (unknown, light) = (theme.adaptToUnknownBackground(), theme.adapt(to: .light))
        #expect(!unknown && light && theme.look(of: Style(.key)).foreground == 4)
    }

    @Test func `a user's colour stands for the base's, as a background where the base has one`() {
        var choice = ThemeChoice(.dark)
        choice.set(.string, to: 203)
        choice.set(.match, to: 226)
        choice.set(.alarm, to: 52)
        choice.highlight = 238
        let theme = Theme(choice, depth: .many)
        #expect(theme.look(of: Style(.string, .highlight)) == Look(foreground: 203, background: 238))
        #expect(theme.look(of: Style(.match)) == Look(foreground: 16, background: 226))
        #expect(theme.look(of: Style(.alarm)) == Look(foreground: 231, background: 52, traits: .bold))
        #expect(theme.look(of: Style(.key)) == Theme(ThemeChoice(.dark), depth: .many).look(of: Style(.key)))
        #expect((choice.contrast(of: .string) ?? 0) > 3)
        #expect(Theme(choice, depth: .eight).look(of: Style(.string)).foreground == 2)
    }

    @Test func `until the background is known, every text is readable on black and on white`() {
        let theme = Theme(depth: .many)
        for role in Role.allCases {
            let look = theme.look(of: Style(role))
            guard let foreground = look.foreground.flatMap(PaletteColor.rgb), look.background == nil else { continue }
            for ground in [RGB(0, 0, 0), RGB(255, 255, 255)] {
                #expect(Contrast.ratio(foreground, ground) >= 4.4, "\(role)")
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
}
