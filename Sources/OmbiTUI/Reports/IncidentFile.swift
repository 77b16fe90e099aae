import OmbiWorkspace

/// A report on the disk.
enum IncidentFile {
    /// - Parameter mode: the permissions of a new file, which only its user may read by default; nil for those of any
    ///   new file.
    static func write(
        _ text: String, to path: String, overwriting: Bool, mode: UInt32? = 0o600
    ) throws(FileError) {
        var rest: [UInt8]? = Array(text.utf8)
        try FileReplacement.save(to: path, newFileMode: mode, overwriting: overwriting) { () throws(FileError) in
            defer { rest = nil }
            return rest
        }
    }
}
