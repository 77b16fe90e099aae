/// The bytes of an excerpt, as the journal of a history keeps them.
///
/// One description serves both directions: each value passes through a coder, which either appends it or replaces it by what
/// it reads. Most runs resemble the one before, so a text that is the same takes one byte.
extension HistoryExcerpt {
    /// Without the marks, which have a table.
    var bytes: Data {
        var all = ExcerptBytes()
        for content in contents { _ = all.add(content) }
        for var run in runs { all.add(&run) }
        return all.bytes { request, _ in request }
    }

    init(bytes: Data) throws(ExcerptDamage) {
        var reader = ExcerptReader(bytes)
        try pass(through: &reader)
        guard reader.isAtEnd else { throw ExcerptDamage() }
    }

    private mutating func pass(through coder: inout some ExcerptCoder) throws(ExcerptDamage) {
        try coder.pass(&contents, like: Data()) { (coder, content, _) throws(ExcerptDamage) in
            try coder.pass(&content)
        }
        try coder.pass(&runs, like: Run(request: ItemPath(file: ""))) { (coder, run, last) throws(ExcerptDamage) in
            try run.pass(through: &coder, after: last)
        }
    }
}

/// The bytes of an excerpt that is put together run by run. Only their requests are kept as they are: they may be renamed until
/// the bytes are asked for.
struct ExcerptBytes: Sendable {
    private struct Head {
        let request: ItemPath
        let startedAt: Int
        /// The end of the other bytes of the run.
        let end: Int
    }

    private var heads: [Head] = []
    private var runs = ExcerptWriter()
    private var contents = ExcerptWriter()
    private var contentCount = 0
    private var last = HistoryExcerpt.Run(request: ItemPath(file: ""))
    /// True with a content that is to be a file.
    private(set) var isLarge = false

    /// The number of runs.
    var count: Int { heads.count }
    /// The number of runs that could not be read back.
    private(set) var leftOut = 0
    /// Without those of the requests.
    var size: Int { runs.bytes.count + contents.bytes.count }

    /// - Parameter run: It is kept for the next one, and exchanged for the one before; one that could not be read back is left out.
    mutating func add(_ run: inout HistoryExcerpt.Run) {
        do throws(ExcerptDamage) { try run.passRest(through: &runs, after: last) } catch {
            leftOut += 1
            return runs.truncate(to: heads.last?.end ?? 0)
        }
        heads.append(Head(request: run.request, startedAt: run.startedAt, end: runs.bytes.count))
        swap(&last, &run)
    }

    /// - Returns: The index of the content.
    mutating func add(_ content: Data) -> Int {
        contents.append(content)
        isLarge = isLarge || content.count > HistoryContents.maximumInDatabase
        contentCount += 1
        return contentCount - 1
    }

    /// - Parameter place: Returns the path that the request of a run has by now, whose start is in microseconds.
    func bytes(_ place: (_ request: ItemPath, _ startedAt: Int) -> ItemPath) -> Data {
        var writer = ExcerptWriter(capacity: size + heads.count * Self.bytesOfRequest)
        writer.append(UInt(contentCount))
        writer.append(contents.bytes[...])
        writer.append(UInt(heads.count))
        var (start, file) = (0, "")
        for head in heads {
            let request = place(head.request, head.startedAt)
            writer.append(request.file, after: file)
            writer.append(request.path)
            writer.append(runs.bytes[start..<head.end])
            (start, file) = (head.end, request.file)
        }
        return Data(writer.bytes)
    }

    /// About as many as most take.
    private static let bytesOfRequest = 40
}

extension HistoryExcerpt.Run {
    fileprivate mutating func pass(through coder: inout some ExcerptCoder, after last: Self) throws(ExcerptDamage) {
        try coder.pass(&request.file, after: last.request.file)
        try coder.pass(&request.path)
        try passRest(through: &coder, after: last)
    }

    /// Passes everything but the request.
    fileprivate mutating func passRest(through coder: inout some ExcerptCoder, after last: Self) throws(ExcerptDamage) {
        try coder.pass(&environment, after: last.environment)
        try coder.pass(&startedAt)
        try coder.pass(&duration)
        try coder.pass(&sla)
        var code = outcome.rawValue
        try coder.pass(&code)
        guard let outcome = RecordedOutcome(rawValue: code) else { throw ExcerptDamage() }
        self.outcome = outcome
        try coder.pass(&status)
        try coder.pass(&attemptCount)
        try coder.pass(&method, after: last.method)
        try coder.pass(&url, after: last.url)
        try coder.pass(&failure, after: last.failure)
        try coder.pass(&size)
        try coder.pass(&body)
        try coder.pass(&prepared)
        try coder.pass(&details, after: last.details)
        let similar = last.attempts.last ?? HistoryExcerpt.Attempt()
        try coder.pass(&attempts, like: similar) { (coder, attempt, last) throws(ExcerptDamage) in
            try attempt.pass(through: &coder, after: last)
        }
        guard attempts.count < 2 || Set(attempts.map(\.number)).count == attempts.count else { throw ExcerptDamage() }
        try coder.pass(&redirects, like: HistoryExcerpt.Redirect(place: 0, body: 0)) {
            (coder, redirect, _) throws(ExcerptDamage) in
            try coder.pass(&redirect.place)
            try coder.pass(&redirect.body)
        }
        guard redirects.count < 2 || Set(redirects.map(\.place)).count == redirects.count else {
            throw ExcerptDamage()
        }
    }
}

extension HistoryExcerpt.Attempt {
    fileprivate mutating func pass(through coder: inout some ExcerptCoder, after last: Self) throws(ExcerptDamage) {
        try coder.pass(&number)
        try coder.pass(&reason)
        try coder.pass(&startedAt)
        try coder.pass(&duration)
        try coder.pass(&phases)
        guard phases.count == RequestPhase.allCases.count else { throw ExcerptDamage() }
        try coder.pass(&outcome)
        try coder.pass(&failure)
        try coder.pass(&message, after: last.message)
        try coder.pass(&status)
        try coder.pass(&pause)
        try coder.pass(&pauseReason)
        try coder.pass(&address, after: last.address)
        try coder.pass(&isReused)
        try coder.pass(&version, after: last.version)
        try coder.pass(&bytesReceived)
        try coder.pass(&bytesSent)
        var hasResponse = response != nil
        try coder.pass(&hasResponse)
        guard hasResponse else { return response = nil }
        var answer = response ?? HistoryExcerpt.Response()
        try coder.pass(&answer.status)
        try coder.pass(&answer.headers, after: last.response?.headers)
        try coder.pass(&answer.isPartial)
        try coder.pass(&answer.size)
        try coder.pass(&answer.body)
        response = answer
    }
}

/// Bytes that are no excerpt.
struct ExcerptDamage: Error, Equatable {}

/// Appends values to bytes, or replaces them by what it reads.
private protocol ExcerptCoder {
    mutating func pass(_ value: inout Int) throws(ExcerptDamage)
    mutating func pass(_ data: inout Data) throws(ExcerptDamage)
    /// - Parameter last: The same text of the element before.
    mutating func pass(_ text: inout String?, after last: String?) throws(ExcerptDamage)
    mutating func pass(_ numbers: inout [Int]) throws(ExcerptDamage)
    mutating func pass(_ texts: inout [String]) throws(ExcerptDamage)
    /// - Parameters:
    ///   - like: What the first element is compared with; reading begins each element with the one before.
    ///   - element: Passes an element, with the one before.
    mutating func pass<Element>(
        _ list: inout [Element], like: Element,
        _ element: (inout Self, inout Element, Element) throws(ExcerptDamage) -> Void
    ) throws(ExcerptDamage)
}

extension ExcerptCoder {
    mutating func pass(_ text: inout String, after last: String) throws(ExcerptDamage) {
        var optional: String? = text
        try pass(&optional, after: last)
        guard let optional else { throw ExcerptDamage() }
        text = optional
    }

    mutating func pass(_ value: inout Int?) throws(ExcerptDamage) {
        var isThere = value != nil
        try pass(&isThere)
        guard isThere else { return value = nil }
        var number = value ?? 0
        try pass(&number)
        value = number
    }

    mutating func pass(_ value: inout Bool) throws(ExcerptDamage) {
        var number = value ? 1 : 0
        try pass(&number)
        value = number != 0
    }
}

/// Numbers are written seven bits at a time, the lowest first, small negative ones as short as positive ones.
private struct ExcerptWriter: ExcerptCoder {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    mutating func pass(_ value: inout Int) {
        append(UInt(bitPattern: value << 1 ^ value >> (Int.bitWidth - 1)))
    }

    mutating func pass(_ data: inout Data) { append(data) }

    mutating func append(_ data: Data) {
        append(UInt(data.count))
        data.withUnsafeBytes { bytes.append(contentsOf: $0.bindMemory(to: UInt8.self)) }
    }

    mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

    mutating func append(_ written: ArraySlice<UInt8>) { bytes.append(contentsOf: written) }

    mutating func pass(_ text: inout String?, after last: String?) { append(text, after: last) }

    /// 0 for none, 1 for the one before, or else the number of bytes behind these.
    mutating func append(_ text: String?, after last: String?) {
        guard let text else { return append(0) }
        if let last, text.hasBytes(of: last) { append(1) } else { append(text) }
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            append(UInt(utf8.count) + 2)
            bytes.append(contentsOf: utf8)
        }
    }

    /// Without a change of the list, which would be a copy of it.
    mutating func pass(_ numbers: inout [Int]) {
        append(UInt(numbers.count))
        for var number in numbers { pass(&number) }
    }

    mutating func pass(_ texts: inout [String]) { append(texts) }

    mutating func append(_ texts: [String]) {
        append(UInt(texts.count))
        for text in texts { append(text) }
    }

    mutating func pass<Element>(
        _ list: inout [Element], like: Element,
        _ element: (inout Self, inout Element, Element) throws(ExcerptDamage) -> Void
    ) throws(ExcerptDamage) {
        append(UInt(list.count))
        var last = like
        // Not in place, which would be a change of the list, and a copy of all of it.
        for var item in list {
            try element(&self, &item, last)
            last = item
        }
    }

    mutating func append(_ number: UInt) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

private struct ExcerptReader: ExcerptCoder {
    private let bytes: [UInt8]
    private var index = 0

    init(_ data: Data) { bytes = Array(data) }

    var isAtEnd: Bool { index == bytes.count }

    mutating func pass(_ value: inout Int) throws(ExcerptDamage) {
        let number = try number()
        value = Int(bitPattern: number >> 1) ^ -Int(bitPattern: number & 1)
    }

    mutating func pass(_ data: inout Data) throws(ExcerptDamage) { data = Data(try take(number())) }

    mutating func pass(_ text: inout String?, after last: String?) throws(ExcerptDamage) {
        switch try number() {
        case 0: text = nil
        case 1: text = last
        case let count: text = String(decoding: try take(count - 2), as: UTF8.self)
        }
    }

    mutating func pass(_ numbers: inout [Int]) throws(ExcerptDamage) {
        numbers = []
        for _ in 0..<(try count()) {
            var number = 0
            try pass(&number)
            numbers.append(number)
        }
    }

    mutating func pass(_ texts: inout [String]) throws(ExcerptDamage) {
        texts = []
        for _ in 0..<(try count()) {
            var text = ""
            try pass(&text, after: "")
            texts.append(text)
        }
    }

    mutating func pass<Element>(
        _ list: inout [Element], like: Element,
        _ element: (inout Self, inout Element, Element) throws(ExcerptDamage) -> Void
    ) throws(ExcerptDamage) {
        list = []
        var last = like
        // Each element takes a byte at least: a wrong count ends with the bytes.
        for _ in 0..<(try count()) {
            var next = last
            try element(&self, &next, last)
            list.append(next)
            last = next
        }
    }

    private mutating func count() throws(ExcerptDamage) -> Int {
        guard let count = Int(exactly: try number()), count <= bytes.count - index else { throw ExcerptDamage() }
        return count
    }

    private mutating func take(_ count: UInt) throws(ExcerptDamage) -> ArraySlice<UInt8> {
        guard let count = Int(exactly: count), count <= bytes.count - index else { throw ExcerptDamage() }
        defer { index += count }
        return bytes[index..<index + count]
    }

    private mutating func number() throws(ExcerptDamage) -> UInt {
        var (number, shift): (UInt, UInt) = (0, 0)
        while index < bytes.count, shift < UInt.bitWidth {
            let byte = bytes[index]
            index += 1
            number |= UInt(byte & 0x7F) << shift
            guard byte & 0x80 != 0 else { return number }
            shift += 7
        }
        throw ExcerptDamage()
    }
}
