/// The meaningful changes between two JSON documents: members are compared by key, wherever they are in their object;
/// elements by content, so that an inserted one is one change.
package enum JSONDiff {
    /// Returns the changes in the order of the newer document; nil when cancelled.
    /// - Parameters:
    ///   - ignored: Paths whose values are ignored in both documents, present or absent.
    ///   - limit: The maximum number of changes.
    package static func changes(
        from old: JSONDocument, to new: JSONDocument, ignoring ignored: [JSONPath] = [], limit: Int = 100_000,
        isCancelled: () -> Bool = { false }
    ) -> [JSONChange]? {
        let text = ByteHash()
        guard let oldHashes = JSONHashes(old, text: text, ignoring: ignored, isCancelled: isCancelled),
            let newHashes = JSONHashes(new, text: text, ignoring: ignored, isCancelled: isCancelled)
        else { return nil }
        var comparison = JSONComparison(old: old, new: new, oldHashes: oldHashes, newHashes: newHashes, limit: limit)
        return comparison.run(isCancelled: isCancelled)
    }
}

extension JSONDiff {
    /// The maximum bytes of a value in an excerpt.
    private static let maximumExcerpt = 120
    /// The maximum depth of a value whose own path is written; a deeper one is named by a container around it.
    private static let maximumDepth = 200

    /// Returns the changes by their paths, in the order of the newer document; nil when cancelled.
    /// - Parameter limit: The number of changes after which it stops.
    package static func valueChanges(
        from old: JSONDocument, to new: JSONDocument, ignoring ignored: [JSONPath] = [], limit: Int = 1000,
        isCancelled: () -> Bool = { false }
    ) -> [JSONValueChange]? {
        let changes = changes(from: old, to: new, ignoring: ignored, limit: limit, isCancelled: isCancelled)
        let (oldTree, newTree) = (JSONTree(old, columns: 80), JSONTree(new, columns: 80))
        return changes.map { changes in
            changes.map { change in
                let (tree, node) = change.new.map { (newTree, $0) } ?? (oldTree, change.old ?? JSONNode(0))
                return JSONValueChange(
                    kind: change.kind,
                    path: change.depth <= maximumDepth ? tree.shortPath(of: node) : "depth \(change.depth)",
                    old: change.old.map { excerpt(of: $0, in: old) }, new: change.new.map { excerpt(of: $0, in: new) })
            }
        }
    }

    /// Returns the value as sent, on one line.
    private static func excerpt(of node: JSONNode, in document: JSONDocument) -> String {
        let range = document.range(of: node)
        guard range.count > maximumExcerpt else { return oneLine(document.source(of: node)) }
        let start = range.lowerBound..<range.lowerBound + maximumExcerpt
        var text = String(decoding: document.bytes(in: start), as: UTF8.self)
        // The cut may go through a character.
        while text.hasSuffix("\u{FFFD}") { text.removeLast() }
        return oneLine(text) + "…"
    }

    /// Replaces each line break and its indentation with one space: they occur between values only.
    private static func oneLine(_ text: String) -> String {
        var (result, isBreaking) = (String.UnicodeScalarView(), false)
        for scalar in text.unicodeScalars {
            let isBreak = scalar == "\n" || scalar == "\r" || scalar == "\t"
            if isBreak, !isBreaking { result.append(" ") }
            if !isBreak, !(isBreaking && scalar == " ") { result.append(scalar) }
            isBreaking = isBreak || isBreaking && scalar == " "
        }
        return String(result)
    }
}

/// A value that differs in a newer document, or that only one of the two has.
package struct JSONChange: Sendable, Equatable {
    package enum Kind: Sendable {
        case added, removed, changed
    }

    /// The value in the older document; nil when it was added.
    package let old: JSONNode?
    /// The value in the newer document; nil when it was removed.
    package let new: JSONNode?
    /// The containers that hold the value.
    let oldParent: JSONNode?
    let newParent: JSONNode?
    /// For a removed value, the value before it in the newer document.
    let newBefore: JSONNode?
    /// The number of containers around the value, in both documents.
    let depth: Int

    package var kind: Kind { old == nil ? .added : new == nil ? .removed : .changed }
}

/// A changed value by its path, with excerpts of the old and the new one: a `JSONChange` that outlives its documents.
package struct JSONValueChange: Sendable, Equatable {
    package var kind: JSONChange.Kind
    /// A JSONPath, as short as it can be: `$.items[0].price`. That in the newer document, for a removed value that in the
    /// older one.
    package var path: String
    /// The value as sent, cut where it is long; nil when it was added.
    package var old: String?
    /// Nil when it was removed.
    package var new: String?
}

/// The values of a document that a comparison passes over, as if they were absent.
struct JSONIgnored {
    /// One for each entry of the tape; empty where nothing is ignored.
    private var flags: [Bool] = []

    /// Values that take longer to find than `EvaluationTime.limit` are compared.
    /// - Returns: nil when cancelled.
    init?(_ paths: [JSONPath], in document: JSONDocument, isCancelled: () -> Bool) {
        var found: [Bool] = []
        let interruption = withoutActuallyEscaping(isCancelled) { isCancelled in
            let time = EvaluationTime(isCancelled: isCancelled)
            for path in paths {
                for root in document.roots where time.poll() {
                    for node in path.matches(in: document, root: root, within: time) {
                        if found.isEmpty { found = Array(repeating: false, count: document.count) }
                        found[node.index] = true
                    }
                }
            }
            return time.interruption
        }
        if interruption == .cancelled { return nil }
        flags = found
    }

    @inline(__always) subscript(index: Int) -> Bool { index < flags.count && flags[index] }
}

/// Paths with wildcards for the elements of an array.
package enum JSONPathPattern {
    /// Returns a path with `[*]` in the place of each position: `$.items[*].id` for `$.items[3].id`.
    package static func generalized(_ path: String) -> String {
        var (result, quote, isEscaped) = ("", Character?.none, false)
        var rest = path[...]
        while let character = rest.first {
            if let open = quote {
                let wasEscaped = isEscaped
                isEscaped = !wasEscaped && character == "\\"
                if !wasEscaped, character == open { quote = nil }
            } else if character == "[" {
                let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                let behind = rest.dropFirst(1 + digits.count)
                if !digits.isEmpty, behind.first == "]" {
                    result += "[*]"
                    rest = behind.dropFirst()
                    continue
                }
            } else if character == "\"" || character == "'" {
                quote = character
            }
            result.append(character)
            rest.removeFirst()
        }
        return result
    }
}

/// Comparison of JSON by content.
extension DiffText {
    /// Compares two JSON documents; white space, the order of members and escapes are ignored. Each line is a row of
    /// the tree of its document.
    /// - Parameters:
    ///   - old: A tree that is indexed to its end, as is the other.
    ///   - ignored: Paths whose values are passed over.
    /// - Returns: false when cancelled.
    package mutating func add(
        from old: JSONTree, to new: JSONTree, ignoring ignored: [JSONPath] = [], isCancelled: () -> Bool = { false }
    ) -> Bool {
        guard
            let changes = JSONDiff.changes(
                from: old.document, to: new.document, ignoring: ignored, limit: Self.maximumChanges + 1,
                isCancelled: isCancelled)
        else { return false }
        var writer = JSONDiffWriter(old: old, new: new, text: self)
        for (number, change) in changes.enumerated() {
            if number & 0xFF == 0, isCancelled() { return false }
            guard number < Self.maximumChanges, !writer.text.isFull else {
                writer.text.cut()
                self = writer.text
                return true
            }
            writer.add(change)
        }
        writer.finish()
        self = writer.text
        return true
    }
}

/// JSON as text that stays the same while its values do: for files that are compared and merged line by line.
package enum JSONNormalization {
    /// The maximum levels of containers. The text of deeper ones would be mostly indentation.
    static let maximumDepth = 200

    /// Returns a document with the members of each object sorted by their keys, in the layout of a file.
    /// - Parameters:
    ///   - paths: those whose values are replaced by the placeholder.
    ///   - placeholder: the same for every value.
    /// - Returns: nil for a document with an error or with several roots, and for one that is nested too deeply.
    package static func text(
        of document: JSONDocument, replacing paths: [JSONPath] = [], by placeholder: String = ""
    ) -> String? {
        guard document.error == nil, document.rootCount == 1, let root = document.firstRoot,
            let replaced = JSONIgnored(paths, in: document, isCancelled: { false })
        else { return nil }
        return value(at: root.index, of: document, replaced, .string(placeholder))?.text
    }

    /// Returns the value of an entry of the tape, without recursion: a server may nest values deeply.
    private static func value(
        at start: Int, of document: JSONDocument, _ replaced: JSONIgnored, _ placeholder: JSONValue
    ) -> JSONValue? {
        var open: [(members: [JSONValue.Member], elements: [JSONValue])] = []
        var index = start
        while true {
            let finished: JSONValue
            if document.isEnd(index) {
                guard let content = open.popLast() else { return nil }
                index = Int(document.link(index))
                finished = document.isArray(index) ? .array(content.elements) : .object(sorted(content.members))
            } else if replaced[index] {
                finished = placeholder
            } else if document.isScalar(index) {
                finished = document.value(of: JSONNode(index))
            } else {
                guard open.count < maximumDepth else { return nil }
                open.append(([], []))
                index += 1
                continue
            }
            guard let last = open.indices.last else { return finished }
            if let key = document.key(of: JSONNode(index)) {
                open[last].members.append(JSONValue.Member(key.string, finished))
            } else {
                open[last].elements.append(finished)
            }
            index = document.after(index)
        }
    }

    /// Sorts members by the bytes of their keys; equal keys keep their order.
    private static func sorted(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        members.enumerated().sorted { one, other in
            let (left, right) = (one.element.key.utf8, other.element.key.utf8)
            return left.elementsEqual(right) ? one.offset < other.offset : left.lexicographicallyPrecedes(right)
        }.map(\.element)
    }
}
