/// The steps that reading and saving a file take. A seam: tests let each step fail, or end there like a killed process.
///
/// There is no step that opens an existing file for writing: a save can only make a new file and put it in place.
public protocol FileSystem: Sendable {
    /// The whole content of a regular file.
    func read(_ path: String) throws(FileError) -> [UInt8]
    /// The names in a folder, in no order.
    func names(in folder: String) throws(FileError) -> [String]
    func isFolder(_ path: String) -> Bool
    /// The path behind all symbolic links.
    func resolve(_ path: String) throws(FileError) -> String
    /// Permission bits; nil when there is no file. Throws when the file may not be written, or is no regular one: what is
    /// put in the place of a device would take it away.
    func modeForReplacing(_ path: String) throws(FileError) -> UInt32?
    /// Makes a new file, fills it with portions until there are no more, and has the disk store it. Fails when there is
    /// one already. A mode of nil gives what new files get.
    func create(_ path: String, mode: UInt32?, _ next: () throws(FileError) -> [UInt8]?) throws(FileError)
    /// Makes a folder, and those it lies in, for nobody but the user. Nothing where it is there already.
    func makeFolder(_ path: String) throws(FileError)
    /// Puts a file in the place of another in one step.
    func rename(_ path: String, to target: String) throws(FileError)
    /// Gives a file another name in one step. Fails with `EEXIST` when there is a file of that name.
    func renameWithoutReplacing(_ path: String, to target: String) throws(FileError)
    /// Has the disk store the names in a folder. A failure is of no consequence for the content.
    func synchronize(folder: String)
    func remove(_ path: String)
    /// Removes files in a folder that programs which are gone have not finished. A failure is of no consequence.
    /// - Parameter process: the number of the program that makes a file of that name; nil for any other file.
    func removeLeftovers(in folder: String, of process: (String) -> Int32?)
}
