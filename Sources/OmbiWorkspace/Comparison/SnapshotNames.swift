#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The names of the snapshot files of a collection: `shop/users/list-users.snap` for the request `list users` in the
/// folder `users` of `shop`, and `list-users@2.snap` with the second row of a file of data.
///
/// They hold ASCII letters in lower case, digits, `-` and `_` only, so that they are the same on every file system. Of
/// siblings that would have one name, the later ones have a number.
package struct SnapshotNames: Sendable, Equatable {
    static let suffix = ".snap"
    private static let maximumLength = 80

    /// The folder of the collection.
    package let folder: String
    private var names: [ItemID: String] = [:]

    package init(_ collection: Collection) {
        folder = Self.word(collection.name)
        add(collection.items, in: folder)
    }

    private mutating func add(_ items: [CollectionItem], in folder: String) {
        // A file has an ending, so that no folder has its name.
        var (files, folders) = ([String: Int](), [String: Int]())
        for item in items {
            switch item {
            case .request(let request):
                names[request.id] = folder + "/" + Self.free(Self.word(request.name), &files)
            case .folder(let inner): add(inner.items, in: folder + "/" + Self.free(Self.word(inner.name), &folders))
            }
        }
    }

    private static func free(_ word: String, _ taken: inout [String: Int]) -> String {
        let count = taken[word, default: 0] + 1
        taken[word] = count
        return count == 1 ? word : "\(word)~\(count)"
    }

    /// Returns a name as a word. One of which something is lost has a hash, so that it is still told from others.
    static func word(_ name: String) -> String {
        var word = ""
        var isLossy = false
        for scalar in name.unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9", "_": word.unicodeScalars.append(scalar)
            case "A"..."Z": word += String(scalar).lowercased()
            default:
                isLossy = isLossy || !scalar.isASCII
                if !word.isEmpty, word.last != "-" { word += "-" }
            }
        }
        if word.last == "-" { word.removeLast() }
        guard isLossy || word.isEmpty || word.count > maximumLength else { return word }
        let hash = WorkspaceContent.digest(Data(name.utf8)).prefix(8)
        return word.isEmpty ? String(hash) : "\(word.prefix(maximumLength))-\(hash)"
    }

    /// The file of a request, below the folder of all snapshots; nil for one that is not in the collection.
    func file(of request: ItemID, row: Int?) -> String? {
        names[request].map { $0 + (row.map { "@\($0)" } ?? "") + Self.suffix }
    }

    /// Returns the files that belong to none of the requests, with any row.
    func obsolete(_ files: [String]) -> [String] {
        let known = Set(names.values)
        return files.filter { file in
            let name = file.dropLast(Self.suffix.count)
            return !known.contains(String(name.prefix { $0 != "@" }))
        }
    }
}
