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
        let theme = Theme(depth: depth)
        for role in [Role.selection, .inactiveSelection, .failure, .alarm, .match, .focusedBorder] {
            #expect(theme.look(of: Style(role)) != theme.look(of: Style(.plain)), "\(role)")
        }
        #expect(theme.look(of: Style(.plain, .underline)).traits == .underline)
    }
}
