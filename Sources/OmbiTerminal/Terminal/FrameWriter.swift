/// Writes the way from what a terminal shows to a surface.
@MainActor
protocol FrameWriter {
    var depth: ColorDepth { get }
    /// True while the colours depend on the background that the terminal reports.
    var adapts: Bool { get }

    /// Chooses colours for that background; nil for a terminal that does not report it. Returns true when something looks
    /// different.
    mutating func adapt(to background: Background?) -> Bool
    /// Chooses the colours of another theme.
    mutating func use(_ theme: ThemeChoice)
    /// The next frame replaces all that a terminal of that size shows.
    mutating func begin(_ size: Size)
    /// The bytes that make the terminal show the surface, and the cursor at that position; none when it does already.
    mutating func frame(_ surface: Surface, cursor: Point?) -> [UInt8]
    /// The bytes that restore the terminal for another program.
    mutating func end() -> [UInt8]
    func close()

    /// True where frames scroll parts of the screen.
    var scrolls: Bool { get }
    /// From now on frames may set margins at the left and the right for that.
    mutating func useMargins()
}

extension FrameWriter {
    var scrolls: Bool { false }
    mutating func useMargins() {}
    mutating func use(_ theme: ThemeChoice) {}
}
