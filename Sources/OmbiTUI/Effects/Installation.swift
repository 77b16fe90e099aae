import OmbiPlatform

/// The locations of the files installed with `ombi`: next to it in the build folder, or under the same prefix.
enum Installation {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    static func demoServer() throws -> String {
        let path = folder + "/ombi-demo-server"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Missing(
                description:
                    "the demo server is missing: \(path); scripts/build makes it, scripts/install puts it there")
        }
        return path
    }

    static func demoCollection() throws -> String { try file("collections/demo.json", called: "the demo collection") }

    static func collectionSchema() throws -> String {
        try file("collections/ombi.schema.json", called: "the schema of collections")
    }

    /// The pages of the manual, in its order: what begins with building comes last.
    static func manual() throws -> [String] {
        let pages = [
            "tour", "tasks", "collections", "trust", "bodies", "variables", "environments", "inheritance",
            "authentication", "connection", "expectations", "running", "headless", "history", "streams", "pages",
            "files", "curl", "import", "configuration", "keys", "format", "building", "library",
        ]
        return try (pages.map { "docs/\($0).md" } + ["README.md"]).map { try file($0, called: "the manual") }
    }

    /// Installed under `share/ombi`; in a checkout, above the build folder.
    private static func file(_ name: String, called title: String) throws -> String {
        let parents = parents(of: folder)
        // Beside the folder of programs.
        let installed = (parents.first ?? "") + "/share/ombi/" + name
        let candidates = [installed] + parents.map { $0 + "/" + name }
        guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw Missing(description: "\(title) is missing: \(installed); scripts/install puts it there")
        }
        return found
    }

    private static func parents(of folder: String) -> [String] {
        let parts = folder.split(separator: "/")
        return (1..<max(1, parts.count)).reversed().map { "/" + parts[..<$0].joined(separator: "/") }
    }

    /// The folder of this program, symbolic links resolved.
    private static var folder: String {
        #if os(Linux)
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let path = count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
        #else
        let path = realpath(CommandLine.arguments[0], nil).map { String(cString: $0) } ?? ""
        #endif
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
