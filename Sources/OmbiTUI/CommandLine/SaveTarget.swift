import ArgumentParser
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The place of a request that is saved: `COLLECTION/FOLDER/NAME`, with the name or the file of a collection.
struct SaveTarget {
    private let place: ImportTarget
    /// The name of the saved request, which gets a number where it is taken.
    let name: String

    init(_ text: String) throws {
        let slash = text.lastIndex(of: "/") ?? text.startIndex
        name = String(text[slash...].dropFirst())
        guard slash > text.startIndex, !name.isEmpty, !name.hasSuffix(".json") else {
            throw ValidationError("--save \(text): write COLLECTION/NAME or COLLECTION/FOLDER/NAME")
        }
        place = try Self.place(String(text[..<slash]))
    }

    /// A file may be new; a collection by its name is one that is here.
    private static func place(_ text: String) throws -> ImportTarget {
        let isFile = text.split(separator: "/").contains { $0.hasSuffix(".json") }
        let path = isFile ? text : try named(text)
        guard let target = try ImportTarget(path) else { throw ValidationError("--save needs a collection") }
        return target
    }

    private static func named(_ text: String) throws -> String {
        let (file, path) = try Selection.single(text)
        return ([file.path] + path).joined(separator: "/")
    }

    /// The path of the collection file.
    var path: String { place.path }

    /// - Parameter policy: what the options of the run say.
    func add(_ request: SavedRequest, _ policy: RequestPolicy) throws {
        var request = request
        request.name = name
        if policy != RequestPolicy() { request.policy = policy }
        try place.add([request])
    }

    /// Leads from the folder of a collection file to the current one.
    static func prefix(from file: String?) -> String {
        guard let file, let slash = file.lastIndex(of: "/") else { return "" }
        let folders = file[..<slash].split(separator: "/")
        let isBelow = !file.hasPrefix("/") && !folders.contains { $0 == "." || $0 == ".." }
        let current = FileManager.default.currentDirectoryPath + "/"
        return isBelow ? String(repeating: "../", count: folders.count) : current
    }
}
