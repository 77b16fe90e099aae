/// The folders of the tags of a document: in those that their names (`a/b`), their parents (3.2) and `x-tagGroups` say.
struct OpenAPITags {
    private var root = Branch(name: "")
    private let descriptions: [String: String]
    private var parents: [String: String] = [:]
    private var groups: [String: String] = [:]

    /// Of the parts of a name, and of tags in each other.
    private static let maximumLevels = 8

    /// - Parameter descriptions: those of the tags that the document declares.
    init(_ document: ForeignValue, _ descriptions: [String: String]) {
        self.descriptions = descriptions
        for tag in document["tags"]?.elements ?? [] {
            let (name, parent) = (Self.name(tag["name"]), Self.name(tag["parent"]))
            if !parent.isEmpty, parents[name] == nil { parents[name] = parent }
        }
        for group in document["x-tagGroups"]?.elements ?? [] {
            let name = Self.name(group["name"])
            for tag in group["tags"]?.elements ?? [] where !name.isEmpty && groups[Self.name(tag)] == nil {
                groups[Self.name(tag)] = name
            }
        }
    }

    private static func name(_ value: ForeignValue?) -> String { ForeignText.line(value?.text ?? "").trimmed }

    /// Adds the requests of a tag; those without one are in no folder.
    mutating func add(_ requests: [CollectionItem], of tag: String) {
        guard !requests.isEmpty else { return }
        root.add(requests, in: path(of: tag)[...])
    }

    var items: [CollectionItem] { root.items }

    /// The folders that the requests of a tag are in, the outermost first.
    private func path(of tag: String) -> [Step] {
        var path: [Step] = []
        var (next, known): (String?, Set<String>) = (tag.isEmpty ? nil : tag, [])
        while let tag = next, known.count < Self.maximumLevels, known.insert(tag).inserted {
            var parts = tag.split(separator: "/").map { String($0).trimmed }.filter { !$0.isEmpty }
            if parts.isEmpty || parts.count > Self.maximumLevels { parts = [tag] }
            var steps = parts.map { Step(name: $0) }
            steps[steps.count - 1].description = descriptions[tag] ?? ""
            path = steps + path
            next = parents[tag]
            if next == nil, let group = groups[tag] { path.insert(Step(name: group), at: 0) }
        }
        return path
    }

    /// A folder on the way to requests.
    private struct Step {
        var name: String
        var description = ""
    }

    /// A folder with those in it.
    private struct Branch {
        let name: String
        var description = ""
        private var requests: [CollectionItem] = []
        private var folders: [Branch] = []
        private var places: [String: Int] = [:]

        init(name: String) { self.name = name }

        mutating func add(_ items: [CollectionItem], in path: ArraySlice<Step>) {
            guard let step = path.first else {
                requests += items
                return
            }
            let place = places[step.name] ?? folders.count
            if place == folders.count {
                places[step.name] = place
                folders.append(Branch(name: step.name))
            }
            if folders[place].description.isEmpty { folders[place].description = step.description }
            folders[place].add(items, in: path.dropFirst())
        }

        var items: [CollectionItem] { (folders.map { CollectionItem.folder($0.folder) } + requests).withUniqueNames }

        private var folder: Folder {
            Folder(name: name, settings: SharedSettings(description: description), items: items)
        }
    }
}
