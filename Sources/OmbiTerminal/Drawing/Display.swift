/// The destination of a drawn surface: the terminal, or a list of frames in a test.
@MainActor
package protocol Display: AnyObject {
    var size: Size { get }
    /// Shows the surface, and the cursor at that position; no cursor when nil.
    func show(_ surface: Surface, cursor: Point?)
    /// Restores the terminal for another program or the shell.
    func suspend()
    /// Takes the terminal again after `suspend`; the next `show` redraws everything.
    func resume()
    /// Restores the terminal and stops the program until the shell continues it (Ctrl+Z, `fg`).
    /// - Returns: false when there is no shell to return to; nothing was done then.
    func stop() -> Bool
    /// Chooses colours for that background of the window; the next `show` redraws what looks different.
    /// - Parameter background: nil for a terminal that does not report it.
    /// - Returns: true when something looks different.
    @discardableResult
    func adapt(to background: Background?) -> Bool
    /// The time until which frames are to wait, since the terminal has not taken the last ones; nil when it has.
    var isBehindUntil: ContinuousClock.Instant? { get }
    /// Takes note that the terminal has taken the frames before its status request.
    func replied()
    /// Shows another theme; the next `show` redraws what looks different.
    func use(_ theme: ThemeChoice)
    /// Takes note that a part of the terminal between two columns can be scrolled.
    func hasMargins()
    /// The time that the terminal took for its last reply.
    var lag: Duration { get }
    /// Queries the terminal's new size.
    func resized()
    /// Rings the bell of the terminal, or flashes, as its user has set it.
    func ringBell()
}

/// A display takes each frame at once, unless it says otherwise.
extension Display {
    package var isBehindUntil: ContinuousClock.Instant? { nil }
    package func replied() {}
    package func hasMargins() {}
    package func ringBell() {}
    package var lag: Duration { .zero }
}
