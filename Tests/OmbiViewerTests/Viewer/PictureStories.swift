import OmbiDocument
import OmbiTerminal
import TestSupport
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// What a person sees of a body that is an image, or another one that is no text.
@Suite struct PictureStories {
    @Suite(.enabled(if: PictureLibraries.hasPNG, "\(PictureLibraries.withoutPNG)"))
    struct PNG {
        @Test func `an image is drawn, and its bytes are one key away`() {
            var story = ViewerStory(PictureSamples.squares(side: 8), columns: 80)
            #expect(
                Array(story.lines.prefix(6)) == [
                    "PNG image, 8×8 pixels", "::::++++", "::::++++", "....@@@@", "....@@@@", "",
                ], "\(story.text)")
            #expect(story.foot.hasSuffix("PNG image"))
            story.press("t")
            #expect(story.lines[1].hasPrefix("00000000  89 50 4e 47"), "\(story.text)")
            #expect(story.foot.contains("hexadecimal"))
            story.press("Down", "Down", "t")
            #expect(story.lines[1] == "::::++++", "\(story.text)")
        }

        @Test func `all of it is on the page, whatever its size`() {
            let bytes = PictureSamples.squares(side: 60)
            for (columns, rows) in [(60, 10), (20, 12), (5, 30), (1, 3), (100, 40)] {
                let story = ViewerStory(bytes, columns: columns, rows: rows)
                let page = story.viewer.pageRows
                let drawn = story.lines.dropFirst(story.viewer.noteRows).prefix { $0.contains { "+:.@".contains($0) } }
                let wanted = min(60, columns, 2 * page)
                #expect(drawn.count == (wanted + 1) / 2, "\(columns)x\(rows): \(story.text)")
            }
        }

        @Test func `its colours are those of its pixels`() {
            var surface = Surface(size: Size(columns: 60, rows: 10))
            _ = ViewerStory(PictureSamples.squares(side: 2)).viewer.draw(
                on: &surface, in: Rect(surface.size), focused: true)
            #expect((surface[0, 1].pixels?.upper, surface[0, 1].pixels?.lower) == (196, 21))
            #expect((surface[1, 1].pixels?.upper, surface[1, 1].pixels?.lower) == (46, 231))
            #expect(surface[2, 1] == .blank)
        }

        @Test func `while it comes there are bytes; then whoever did not move sees the picture`() {
            let bytes = Bytes(PictureSamples.squares(side: 8))
            for moves in [false, true] {
                var story = ViewerStory("", columns: 80)
                story.viewer = Viewer(id: 7, size: story.size)
                let indexer = BodyIndexer(contentType: nil)
                story.receive(.read(indexer.read(bytes[0..<100], isComplete: false, budget: .max)))
                #expect(story.lines[0] == "PNG image, 8×8 pixels, as hexadecimal", "\(story.text)")
                #expect(story.lines[1].hasPrefix("00000000  89 50"))
                if moves { story.press("Down") }
                story.receive(.read(indexer.read(bytes, isComplete: true, budget: .max)))
                #expect(story.lines[1].hasPrefix(moves ? "00000000  89 50" : "::::++++"), "\(story.text)")
                story.press("t")
                #expect(story.lines[1].hasPrefix(moves ? "::::++++" : "00000000  89 50"), "\(story.text)")
            }
        }

        @Test func `one that is there whole is never shown in hexadecimal first`() {
            let document = BodyIndexer(contentType: nil)
                .read(Bytes(PictureSamples.squares(side: 8)), isComplete: true, budget: 10)
            guard case .picture = document.shape else {
                Issue.record("it is \(document.shape)")
                return
            }
        }

        @Test func `a broken one says what is wrong and shows its bytes`() {
            let story = ViewerStory(Array(PictureSamples.squares(side: 16).prefix(200)), columns: 80)
            #expect(story.lines[0].hasPrefix("PNG image, 16×16 pixels; cannot be drawn: "), "\(story.text)")
            #expect(story.lines[1].hasPrefix("00000000  89 50 4e 47"), "\(story.text)")
        }

        @Test func `a picture has no text to find or copy, and says so`() {
            var story = ViewerStory(PictureSamples.squares(side: 8))
            for key in ["/", "n", "|", "y", "Alt+y", "C", "Ctrl+G"] {
                story.press(key)
                #expect(story.notice?.text == "A picture has no text; t shows its bytes, S saves it", "\(key)")
                #expect(story.viewer.line == nil && story.takeEffects().isEmpty, "\(key)")
            }
            story.press("G", "PageDown", "k", "W", "#", "Left", "Right")
            #expect(story.lines[1] == "::::++++", "\(story.text)")
            story.press("t", "/")
            #expect(story.viewer.line?.subject == .find)
        }
    }

    @Test(.enabled(if: PictureLibraries.hasJPEG, "\(PictureLibraries.withoutJPEG)"))
    func `a JPEG that was cut is drawn as far as it came`() {
        let story = ViewerStory(Array(PictureSamples.jpeg.dropLast(12)), columns: 80, rows: 12)
        #expect(story.lines[0].hasPrefix("JPEG image, 16×16 pixels; damaged: "), "\(story.text)")
        #expect(story.lines[1].hasPrefix("::::::"), "\(story.text)")
    }

    @Test(.enabled(if: !PictureLibraries.areBuiltIn, "this build draws pictures"))
    func `a build that draws no pictures shows their bytes, and says so`() {
        let story = ViewerStory(PictureSamples.squares(side: 8), columns: 80)
        #expect(
            story.lines[0] == "PNG image, 8×8 pixels; shown as hexadecimal: this build draws no pictures",
            "\(story.text)")
        #expect(story.lines[1].hasPrefix("00000000  89 50 4e 47"), "\(story.text)")
    }

    @Test func `the note names what it is and what can be done`() throws {
        let image = try #require(ImageKind(Bytes(PictureSamples.squares(side: 4))))
        #expect(
            BinaryNote.text(image, .failure(.missingLibrary(advice: "install libpng16-16")))
                == "PNG image, 4×4 pixels; install libpng16-16 to see it")
        #expect(
            BinaryNote.text(image, .failure(.tooLarge(limit: "100 megapixels")))
                == "PNG image, 4×4 pixels; more than 100 megapixels are not drawn")
        #expect(
            BinaryNote.text("PDF document") == "PDF document, binary; S saves it, ! pdftotext - - shows what is in it")
        #expect(BinaryNote.text("ZIP archive") == "ZIP archive, binary; S saves it, ! pipes it through a command")
        #expect(BinaryNote.text(nil) == "binary; S saves it, ! pipes it through a command")
    }

    @Test func `the keys that the notes name do that`() throws {
        let keys: [(String, ViewerAction)] = [("S", .save), ("!", .shell), ("t", .switchMode)]
        for (name, action) in keys {
            let key = try #require(Key(name: name))
            #expect(Keymap.standard.action(for: key, in: [.viewer]) == .view(action))
            #expect(Keymap.pager.action(for: key, in: [.viewer]) == .view(action))
        }
    }

    @Test func `other bytes are shown in hexadecimal, and what they are is said`() {
        let story = ViewerStory([0x1F, 0x8B, 0x08, 0, 0xFF], columns: 80)
        #expect(story.lines[0] == "gzip data, binary; S saves it, ! gzip -dc shows what is in it")
        #expect(story.lines[1].hasPrefix("00000000  1f 8b 08 00 ff"))
    }
}
