import OmbiDocument

/// What is found out about bodies away from the main thread.
enum ViewerJobs {
    private static let interval = Duration.milliseconds(100)

    // MARK: Find

    /// The first match from an offset on, then all of them, from there outwards.
    static func find(
        _ query: FindQuery, _ document: BodyDocument, from offset: Int, _ flag: CancelFlag,
        emit: (ViewerEvent) -> Void
    ) {
        guard let pattern = try? query.pattern() else { return }
        let bytes = query.isRaw ? document.raw : document.text
        let finder = Finder(pattern)
        let first = finder.next(in: bytes, after: offset - 1) { flag.isCancelled }
        if flag.isCancelled { return }
        emit(.found(first, number: query.number))
        var index = MatchIndex(count: bytes.count, from: first?.lowerBound ?? offset)
        var told = ContinuousClock.now
        var goesOn = first != nil
        while goesOn, !flag.isCancelled {
            goesOn = index.step(finder, in: bytes)
            guard !goesOn || .now - told >= interval else { continue }
            told = .now
            emit(.counted(MatchCount(index: index, isComplete: !goesOn), number: query.number))
        }
    }

    static func findNext(
        _ query: FindQuery, _ document: BodyDocument, from offset: Int, forward: Bool, emit: (ViewerEvent) -> Void
    ) {
        guard let pattern = try? query.pattern() else { return }
        let bytes = query.isRaw ? document.raw : document.text
        let finder = Finder(pattern)
        let range = forward ? finder.next(in: bytes, after: offset) : finder.previous(in: bytes, before: offset)
        emit(.found(range, number: query.number))
    }

    // MARK: Paths

    /// More of what a filter selects is left out.
    private static let mostMatches = 1_000_000
    private static let mostBytes = 256 << 20

    /// The values that a path selects, as an object with their paths as names.
    static func filter(
        _ text: String, _ document: BodyDocument, _ number: Int, _ flag: CancelFlag, emit: (ViewerEvent) -> Void
    ) {
        guard let json = document.json else {
            return emit(.filtered(.mistake(column: 1, reason: "only JSON can be filtered"), number: number))
        }
        let path: JSONPath
        do throws(JSONPathError) { path = try JSONPath(text) } catch {
            return emit(.filtered(.mistake(column: error.column, reason: error.reason), number: number))
        }
        var locator = JSONPathLocator(json)
        var output = Array("{".utf8)
        var (count, isCut) = (0, false)
        for root in json.roots {
            for node in path.matches(in: json, root: root, isCancelled: { flag.isCancelled }) {
                isCut = count >= mostMatches || output.count >= mostBytes
                if isCut || flag.isCancelled { break }
                output += count == 0 ? "\n".utf8 : ",\n".utf8
                appendString(locator.bytes(of: node), to: &output)
                output += ": ".utf8
                output += json.bytes(in: json.range(of: node))
                count += 1
            }
        }
        output += "\n}\n".utf8
        guard !flag.isCancelled else { return }
        let result = BodyDocument(Bytes(output), contentType: "application/json")
        emit(.filtered(.matches(text, result, count: count, isCut: isCut), number: number))
    }

    private static func appendString(_ bytes: [UInt8], to output: inout [UInt8]) {
        output.append(0x22)
        for byte in bytes {
            if byte == 0x22 || byte == 0x5C { output.append(0x5C) }
            output.append(byte)
        }
        output.append(0x22)
    }

    static func locate(_ text: String, _ document: BodyDocument, _ flag: CancelFlag) -> ViewerEvent {
        guard let json = document.json else {
            return .located(offset: nil, mistake: "only JSON has paths; type the number of a line")
        }
        do throws(JSONPathError) {
            let tree = JSONTree(json, columns: 80)
            let node = try tree.node(atPath: text) { flag.isCancelled }
            return .located(
                offset: node.map { json.range(of: $0).lowerBound }, mistake: node == nil ? "nothing is at \(text)" : nil
            )
        } catch {
            return .located(offset: nil, mistake: "the path is wrong at \(error)")
        }
    }
}
