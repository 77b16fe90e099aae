import OmbiWorkspace

/// A report on the disk, which only its user may read.
enum IncidentFile {
    static func write(_ text: String, to path: String, overwriting: Bool) throws(FileError) {
        var rest: [UInt8]? = Array(text.utf8)
        try FileReplacement.save(to: path, newFileMode: 0o600, overwriting: overwriting) { () throws(FileError) in
            defer { rest = nil }
            return rest
        }
    }
}
