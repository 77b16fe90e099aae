/// Why a collection was not saved. The file on disk is unchanged.
public enum SaveError: Error, Sendable, Equatable {
    /// Somebody else wrote the file since it was loaded.
    case changedOnDisk(String)
    /// Somebody else removed the file since it was loaded.
    case removedOnDisk(String)
    case failed(FileError)
    /// The file could not be read again.
    case unreadable(Problem)
    /// The file is that of another tool.
    case foreign(String)
}

extension SaveError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .changedOnDisk(let path):
            "\(path) was changed on disk since it was opened; reload it, or overwrite it"
        case .removedOnDisk(let path):
            "\(path) was removed from disk since it was opened; overwrite to write it again"
        case .failed(let error):
            "\(error); nothing was changed on disk"
        case .unreadable(let problem):
            "\(problem.file) could not be read again: \(problem.message)"
                + (problem.position.map { ", on line \($0.line) of what would be written" } ?? "")
                + "; nothing was changed on disk"
        case .foreign(let path):
            "\(path) is a file of another tool, which is never written; "
                + "`ombi import \(ShellQuotes.word(path)) --to NAME.json` makes a collection of it"
        }
    }
}
