import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One request that the command line asked for, and where it comes from.
struct Job: Equatable, Sendable {
    /// `demo/users/user by id`
    var name: String
    var order: RunOrder

    var request: SavedRequest { order.request }
}

/// Turns `COLLECTION[/FOLDER[/REQUEST]]` into requests. A collection is a file, or the name of one in this folder.
enum Selection {
    /// Problems are told on standard error; nothing is selected from a file that has any.
    static func jobs(_ selections: [String], environment: String?) throws -> [Job] {
        var number = 0
        var jobs: [Job] = []
        for selection in selections.isEmpty ? ["."] : selections {
            let (files, path) = try find(selection)
            for file in files { jobs += try self.jobs(in: file, path, environment, &number) }
        }
        return jobs
    }

    /// The files that a selection means, and the path of the item in them.
    private static func find(_ selection: String) throws -> ([LoadedCollection], [String]) {
        if FileManager.default.fileExists(atPath: selection) { return (try load([selection]), []) }
        let parts = selection.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for count in stride(from: parts.count - 1, to: 0, by: -1) {
            let path = parts[..<count].joined(separator: "/")
            guard path.hasSuffix(".json"), FileManager.default.fileExists(atPath: path) else { continue }
            return (try load([path]), Array(parts[count...]))
        }
        // A broken file beside the one that is meant is no reason to refuse it.
        let named = CollectionFinder.find(["."]).map { CollectionFile.load($0) }.filter { $0.isNamed(parts[0]) }
        guard !named.isEmpty else {
            throw complain("no collection named \"\(parts[0])\" here; name a file, or look with `ombi list`")
        }
        return (try checked(named), Array(parts.dropFirst()))
    }

    private static func load(_ paths: [String]) throws -> [LoadedCollection] {
        let found = CollectionFinder.find(paths)
        guard !found.isEmpty else {
            throw complain("no collection files in \(paths.joined(separator: ", ")); `ombi demo` shows one")
        }
        return try checked(found.map { CollectionFile.load($0) })
    }

    private static func checked(_ loaded: [LoadedCollection]) throws -> [LoadedCollection] {
        let broken = loaded.filter { $0.collection == nil }
        for problem in (broken.isEmpty ? loaded : broken).flatMap(\.problems) {
            StandardError.print(SafeText.line(problem.description))
        }
        guard broken.isEmpty else {
            throw broken.contains(where: \.isUnreadable) ? ExitStatus.inputOutput : ExitStatus.misuse
        }
        return loaded
    }

    private static func jobs(
        in file: LoadedCollection, _ path: [String], _ environment: String?, _ number: inout Int
    ) throws -> [Job] {
        guard let collection = file.collection else { return [] }
        if let environment, collection.environment(named: environment) == nil, !collection.environments.isEmpty {
            let known = collection.environments.map(\.name).joined(separator: ", ")
            throw complain("\(collection.name) has no environment \"\(environment)\"; it has \(known)")
        }
        let chosen = environment ?? collection.environments.first?.name
        return try requests(at: path, in: collection).map { request, path in
            number += 1
            let order = RunOrder(
                id: number, request: request, collection: collection,
                environment: chosen, file: file.path)
            return Job(name: ([collection.name] + path).joined(separator: "/"), order: order)
        }
    }

    private static func requests(
        at path: [String], in collection: Collection
    ) throws -> [(request: SavedRequest, path: [String])] {
        guard !path.isEmpty else { return collection.requestPaths }
        // A name may hold slashes itself.
        let item = collection.item(atPath: path) ?? collection.item(atPath: [path.joined(separator: "/")])
        switch item {
        case .request(let request): return [(request, collection.path(to: request.id))]
        case .folder(let folder): return collection.requestPaths(in: folder)
        case nil:
            throw complain(
                "\(collection.name) has no \"\(path.joined(separator: "/"))\"; `ombi list` shows what it has")
        }
    }

    private static func complain(_ message: String) -> ExitStatus {
        StandardError.print("ombi: " + SafeText.line(message))
        return .misuse
    }
}

extension LoadedCollection {
    /// By the name of the collection, or of its file with or without the ending.
    fileprivate func isNamed(_ name: String) -> Bool {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return collection?.name == name || file == name || file == name + ".json"
    }
}
