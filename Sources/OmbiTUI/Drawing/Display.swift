/// Where a drawn surface goes: the terminal, or a list of frames in a test.
@MainActor
protocol Display: AnyObject {
    var size: Size { get }
    /// Shows the surface, and the cursor at that place; no cursor when nil.
    func show(_ surface: Surface, cursor: Point?)
    /// Gives the terminal back as it was found, for another program or the shell.
    func suspend()
    /// Takes the terminal again after `suspend`; the next `show` paints everything.
    func resume()
    /// Gives the terminal back and stops the program until the shell continues it (Ctrl+Z, `fg`).
    /// - Returns: false when there is no shell to go back to; nothing was done then.
    func stop() -> Bool
    /// The terminal has another size now: ask it.
    func resized()
    /// Gives the terminal back for good.
    func close()
}
