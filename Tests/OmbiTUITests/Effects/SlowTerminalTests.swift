import OmbiTerminal
import Testing

@testable import OmbiTUI

/// A terminal that takes its time.
@MainActor
@Suite struct SlowTerminalTests {
    @Test func `the time that the terminal takes shows with the next frame, and is none by itself`() {
        let display = SlowDisplay()
        let application = Application(
            display: display, loop: MainLoop(catchesSignals: false), state: AppState(size: display.size))
        application.drawIfNeeded()
        application.handle([.status])
        application.drawIfNeeded()
        // Until it replies nothing is known of its background, which may change all colours.
        let known = display.frames
        display.lag = .milliseconds(600)
        application.handle([.status])
        application.drawIfNeeded()
        #expect(display.frames == known)
        application.handle([.key(Key(.down))])
        application.drawIfNeeded()
        #expect(display.frames == known + 1)
        #expect(display.shown.contains("600 ms"), "\(display.shown)")
    }
}

private final class SlowDisplay: Display {
    let size = Size(columns: 120, rows: 34)
    var lag = Duration.milliseconds(300)
    private(set) var frames = 0
    private(set) var shown = ""

    func show(_ surface: Surface, cursor: Point?) {
        frames += 1
        shown = surface.text()
    }

    func suspend() {}
    func resume() {}
    func stop() -> Bool { false }
    func adapt(to background: Background?) -> Bool { false }
    func use(_ theme: ThemeChoice) {}
    func resized() {}
    func close() {}
}
