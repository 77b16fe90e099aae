import Foundation
import OmbiTerminal
import Testing

@testable import OmbiTUI

/// The pictures in `docs/pictures`, which `scripts/screenshots` writes anew.
@Suite struct PicturesTests {
    private static let maximumBytes = 150_000

    @Test(arguments: PictureScene.allCases) func `a picture of the documents is what the program draws`(
        scene: PictureScene
    ) throws {
        let picture = ScreenPicture.svg(scene.title, of: try scene.frames())
        #expect(picture.utf8.count <= Self.maximumBytes)
        #expect(!["<script", "href", "url(", "@import"].contains { picture.contains($0) })
        try RecordedFile("docs/pictures/\(scene.rawValue).svg").expect(picture)
    }

    @Test func `the film goes from the sending to the filtered response`() throws {
        let screens = try PictureScene.sending.frames().map { $0.surface.text() }
        #expect((6...10).contains(screens.count))
        let shown = [
            (0, "Not sent yet"), (1, "3 Response ─ running"), (2, "503 Service Unavailable"), (5, "3 Response ─ 200 "),
            (8, "\"lamp\""), (8, "\"chair\""),
        ]
        for (index, text) in shown { #expect(screens[index].contains(text), "\(text) in\n\(screens[index])") }
        #expect(screens.last?.contains("\"tea\"") == false)
    }

    // MARK: Drawing

    private static func svg(_ draw: (inout Surface) -> Void) -> String {
        var surface = Surface(size: Size(columns: 12, rows: 2))
        draw(&surface)
        return ScreenPicture.svg("a & b", of: surface)
    }

    @Test func `text is escaped, and as wide as its cells`() {
        let svg = Self.svg { $0.write("  a<b & 日本", at: Point(column: 0, row: 1)) }
        #expect(svg.contains("<title>a &amp; b</title>"))
        #expect(svg.contains(#"<text x="16" y="31" textLength="40">a&lt;b &amp;</text>"#), "\(svg)")
        #expect(svg.contains(#"<text x="64" y="31" textLength="16">日</text>"#))
        #expect(svg.contains(#"<text x="80" y="31" textLength="16">本</text>"#))
    }

    @Test func `a look is a class, and reverse swaps its colours`() {
        let svg = Self.svg {
            $0.write("bold", at: Point(column: 0, row: 0), style: Style(.plain, [.bold, .underline]))
            $0.write("back", at: Point(column: 5, row: 0), style: Style(.plain, .reverse))
        }
        #expect(svg.contains(".c0{font-weight:bold;text-decoration:underline;}"))
        #expect(svg.contains(#"<text class="c0" x="0" y="13" textLength="32">bold</text>"#), "\(svg)")
        #expect(svg.contains(##"<rect x="40" y="0" width="32" height="18" fill="#d7d7d7"/>"##))
        #expect(svg.contains(".c1{color:#1e1e1e;}"))
    }

    @Test(
        arguments: [
            ("─", "M4,9L8,9M4,9L0,9", ""), ("┏", "", "M4,9L8,9M4,9L4,18"), ("┢", "M4,9L4,0", "M4,9L8,9M4,9L4,18"),
            ("╼", "M4,9L0,9", "M4,9L8,9"), ("╭", "M8,9Q4,9 4,18", ""),
        ] as [(Unicode.Scalar, String, String)])
    func `the lines of a frame reach the edges of their cells`(scalar: Unicode.Scalar, light: String, heavy: String) {
        let lines = BoxLines(scalar)
        #expect(lines?.path(.light, x: 0, y: 0, width: 8, height: 18) == light)
        #expect(lines?.path(.heavy, x: 0, y: 0, width: 8, height: 18) == heavy)
    }

    @Test(arguments: ["a", "═", "╌", "╱", "█"] as [Unicode.Scalar])
    func `other characters are no lines of a frame`(scalar: Unicode.Scalar) {
        #expect(BoxLines(scalar) == nil)
    }

    @Test func `a row that does not change is drawn once, and the others have their times`() {
        let frames = ["one", "two", "two"].map { text in
            var surface = Surface(size: Size(columns: 12, rows: 2))
            surface.write("same", at: Point(column: 0, row: 0))
            surface.write(text, at: Point(column: 0, row: 1))
            return ScreenPicture.Frame(surface: surface, milliseconds: 500)
        }
        let svg = ScreenPicture.svg("film", of: frames)
        #expect(svg.components(separatedBy: ">same<").count == 2 && svg.components(separatedBy: ">two<").count == 2)
        #expect(svg.contains(#"<g class="f0-1"><text x="0" y="31" textLength="24">one</text></g>"#), "\(svg)")
        #expect(svg.contains("@keyframes f0-1{0.0%{opacity:1}33.33%{opacity:0}100%{opacity:0}}"))
        #expect(svg.contains("@keyframes f1-3{0%{opacity:0}33.33%{opacity:1}100%{opacity:1}}"))
        #expect(svg.contains("animation:f1-3 1500ms step-end infinite"))
    }
}
