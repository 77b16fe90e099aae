/// The variables that have a value somewhere, to check names without an environment.
struct KnownVariables {
    private var graph: VariableGraph
    private var others: Set<String>
    private let names: [String]

    init(_ collection: Collection) {
        let overlay = collection.overlay
        let environments = collection.environments + overlay.environments
        var texts: [String: String] = [:]
        for variable in environments.flatMap(\.variables) + collection.allVariables where variable.enabled {
            texts[variable.name] = variable.value
        }
        others = Set((environments.flatMap(\.secrets) + overlay.secrets).map(\.name))
        others.formUnion(overlay.envFiles.values.joined())
        others.formUnion(CaptureIndex(collection).requests.keys)
        Self.addNames(in: collection.items, to: &others)
        names = Set(texts.keys).union(others).sorted()
        graph = VariableGraph(texts, ends: others)
    }

    /// The names alone: a variable of a folder or a request holds there only.
    private static func addNames(in items: [CollectionItem], to names: inout Set<String>) {
        for item in items {
            switch item {
            case .request(let request) where request.variables.isEmpty: break
            case .request(let request): names.formUnion(request.variables.filter(\.enabled).map(\.name))
            case .folder(let folder):
                names.formUnion(folder.settings.variables.filter(\.enabled).map(\.name))
                addNames(in: folder.items, to: &names)
            }
        }
    }

    /// - Parameter variable: the one whose value holds the template.
    func check(_ value: TemplateExpression.Value, in variable: String?) throws(TemplateError.Reason) {
        switch value {
        case .variable(let name):
            guard graph.contains(name) || others.contains(name) else { throw .unknownVariable(name, known: names) }
            if let variable, let path = graph.circle(from: variable, by: name) { throw .cycle(path) }
        case .call(let name, let arguments):
            guard let function = TemplateFunction.named(name) else {
                throw .unknownFunction(name, known: TemplateFunction.all.map(\.name))
            }
            for case .value(let value) in arguments { try check(value, in: variable) }
            try function.check(arguments)
        }
    }

    /// Throws for a text to send whose variables refer to others beyond the limits of a run.
    func checkSize(of template: Template, _ text: String) throws(TemplateError) {
        var size = VariableGraph.Size()
        for part in template.parts {
            size.add(part, graph)
            guard case .template(let expression) = part else { continue }
            if size.depth > VariableScope.maximumDepth, let name = expression.names.first(where: graph.isDeep) {
                throw TemplateError(.tooDeep(graph.deepest(from: name)), at: expression.offset, in: text)
            }
            if size.isTooLarge { throw TemplateError(.tooLarge, at: expression.offset, in: text) }
        }
    }
}

/// The references between variables. Each is looked at once, so that no number of references takes long.
struct VariableGraph {
    /// The size of a text once it is filled in; counts end at a number far beyond the limits.
    struct Size {
        var substitutions = 0
        var bytes = 0
        /// The levels of variables in variables.
        var depth = 0

        var isTooLarge: Bool {
            substitutions > VariableScope.maximumSubstitutions || bytes > VariableScope.maximumByteCount
        }
    }

    private struct Node {
        var references: [String] = []
        var size = Size()
        /// Variables with the same number refer to each other.
        var circle: Int?
    }

    private var nodes: [String: Node] = [:]
    private var circles: [(count: Int, first: String?)] = []
    private let ends: Set<String>

    /// A larger circle is reported in its first variables only.
    private static let maximumCircle = 100

    /// - Parameter ends: the names whose values come from elsewhere.
    init(_ texts: [String: String], ends: Set<String>) {
        self.ends = ends
        var templates: [String: Template] = [:]
        for (name, text) in texts {
            let template = ends.contains(name) ? nil : try? Template(text)
            templates[name] = template
            var known: Set<String> = []
            let references = (template?.names ?? []).filter { texts[$0] != nil && known.insert($0).inserted }
            nodes[name] = Node(references: references)
        }
        var search = CircleSearch(nodes.mapValues(\.references))
        for name in texts.keys.sorted() {
            for group in search.groups(from: name) { add(group, templates) }
        }
    }

    private mutating func add(_ group: [String], _ templates: [String: Template]) {
        if group.count == 1, let name = group.first, !(nodes[name]?.references.contains(name) ?? false) {
            let size = size(of: templates[name])
            nodes[name]?.size = size
            return
        }
        for name in group { nodes[name]?.circle = circles.count }
        circles.append((group.count, group.min()))
    }

    func contains(_ name: String) -> Bool { nodes[name] != nil }

    func size(of name: String) -> Size { nodes[name]?.size ?? Size() }

    func isDeep(_ name: String) -> Bool { size(of: name).depth > VariableScope.maximumDepth }

    private func size(of template: Template?) -> Size {
        var size = Size()
        for part in template?.parts ?? [] { size.add(part, self) }
        size.depth += 1
        return size
    }

    /// Returns the names from a variable down through the most levels.
    func deepest(from name: String) -> [String] {
        var path = [name]
        while path.count <= VariableScope.maximumDepth, let last = path.last,
            let next = nodes[last]?.references.max(by: { size(of: $0).depth < size(of: $1).depth })
        {
            path.append(next)
        }
        return path
    }

    /// Returns the shortest way from a variable by one that its value names back to itself; nil where there is none.
    func circle(from variable: String, by name: String) -> [String]? {
        let circle = nodes[variable]?.circle
        if !ends.contains(variable) {
            guard let circle, nodes[name]?.circle == circle else { return nil }
            guard circles[circle].count <= Self.maximumCircle || circles[circle].first == variable else { return nil }
        }
        var before = [name: variable]
        var (queue, index) = ([name], 0)
        while index < queue.count, queue[index] != variable {
            for next in nodes[queue[index]]?.references ?? []
            where before[next] == nil && (circle == nil || nodes[next]?.circle == circle) {
                before[next] = queue[index]
                queue.append(next)
            }
            index += 1
        }
        guard index < queue.count else { return nil }
        var path = [variable]
        var last = queue[index]
        repeat {
            guard let previous = before[last] else { return nil }
            path.append(previous)
            last = previous
        } while last != variable
        return path.reversed()
    }

}

extension VariableGraph.Size {
    private static let maximum = 1 << 40

    mutating func add(_ part: Template.Part, _ graph: VariableGraph) {
        switch part {
        case .text(let text): bytes = min(bytes + text.utf8.count, Self.maximum)
        case .template(let expression):
            for name in expression.names {
                let size = graph.size(of: name)
                substitutions = min(substitutions + 1 + size.substitutions, Self.maximum)
                depth = max(depth, size.depth)
                // The result of a function has a length of its own.
                if case .variable = expression.value { bytes = min(bytes + size.bytes, Self.maximum) }
            }
        }
    }
}

/// The search for circles of names (Tarjan's strongly connected components), without recursion.
private struct CircleSearch {
    private let references: [String: [String]]
    private var numbers: [String: Int] = [:]
    private var lowest: [String: Int] = [:]
    private var open: [String] = []
    private var isOpen: Set<String> = []

    init(_ references: [String: [String]]) { self.references = references }

    /// Returns the groups of names that can be reached from one and were not reached before: those that lead to each other
    /// are one group, and what a group leads to comes before it.
    mutating func groups(from start: String) -> [[String]] {
        guard numbers[start] == nil else { return [] }
        var found: [[String]] = []
        var path = [(name: start, left: enter(start))]
        while let (name, left) = path.last {
            if let target = left.first {
                path[path.count - 1].left = left.dropFirst()
                if numbers[target] == nil {
                    path.append((target, enter(target)))
                } else if isOpen.contains(target) {
                    lower(name, to: numbers[target])
                }
                continue
            }
            path.removeLast()
            if let parent = path.last { lower(parent.name, to: lowest[name]) }
            if lowest[name] == numbers[name] { found.append(close(name)) }
        }
        return found
    }

    private mutating func enter(_ name: String) -> ArraySlice<String> {
        let number = numbers.count
        (numbers[name], lowest[name]) = (number, number)
        open.append(name)
        isOpen.insert(name)
        return (references[name] ?? [])[...]
    }

    private mutating func lower(_ name: String, to number: Int?) {
        guard let number, let own = lowest[name] else { return }
        lowest[name] = min(own, number)
    }

    private mutating func close(_ name: String) -> [String] {
        var group: [String] = []
        while let last = open.popLast() {
            isOpen.remove(last)
            group.append(last)
            if last == name { break }
        }
        return group
    }
}
