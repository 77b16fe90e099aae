/// Recorded responses in the order in which they came, to be served again. Of each request the last one repeats.
struct Tape: Sendable {
    /// A response that was played.
    struct Play: Equatable, Sendable {
        var take: TapeTake
        /// The place of the response among those of its request, from 1.
        var number: Int
        var count: Int
        /// True where all of them have been played before.
        var isRepeated: Bool
    }

    /// The responses to one request: a method, a path, a query and a body.
    private struct Lane: Sendable {
        var method: String
        var target: TapeTarget
        /// In the form in which bodies are compared; empty without one.
        var body: String
        /// With their places among all responses.
        var takes: [(order: Int, take: TapeTake)] = []
        var played = 0

        /// The place of the next response among all; nil once all were played.
        var next: Int? { played < takes.count ? takes[played].order : nil }
    }

    private var lanes: [Lane] = []
    private(set) var takeCount = 0
    /// The runs that the responses are of, and others without one.
    private(set) var runCount = 0

    /// The number of different requests.
    var requestCount: Int { lanes.count }

    /// - Parameter runs: the oldest first.
    init(_ runs: [RecordedRun] = []) { for run in runs { add(run) } }

    mutating func add(_ run: RecordedRun) {
        runCount += 1
        guard let request = run.result.prepared, TapeTarget(request.url) != nil else { return }
        let takes = TapeTake.hops(of: run) ?? TapeTake.takes(of: run).map { (request: request, take: $0) }
        for (request, take) in takes { add(take, request) }
    }

    private mutating func add(_ take: TapeTake, _ request: PreparedRequest) {
        guard let target = TapeTarget(request.url) else { return }
        let (method, body) = (request.method.rawValue, Self.comparable(request.body ?? ""))
        let take = take.withoutLinks(to: request.url)
        let known = lanes.firstIndex { $0.method == method && $0.target == target && $0.body == body }
        if known == nil { lanes.append(Lane(method: method, target: target, body: body)) }
        lanes[known ?? lanes.count - 1].takes.append((takeCount, take))
        takeCount += 1
    }

    /// JSON is the same however it is laid out.
    private static func comparable(_ body: String) -> String {
        guard body.first == "{" || body.first == "[" else { return body }
        return (try? JSONValue.parse(body))?.compact ?? body
    }

    // MARK: Playing

    /// Plays the next response to a request; nil for one that was not recorded.
    ///
    /// Several requests that differ in their bodies alone: the one with the same body responds; without one, all of
    /// them do, in the order in which they were recorded, as bodies with secrets were masked.
    mutating func play(_ method: String, _ target: TapeTarget, body: [UInt8]) -> Play? {
        var found = lanes.indices.filter { lanes[$0].method == method && lanes[$0].target.matches(target) }
        if found.isEmpty, method == "HEAD" { found = heads(of: target) }
        if found.count > 1 {
            let text = Self.comparable(String(decoding: body, as: UTF8.self))
            let same = found.filter { lanes[$0].body == text }
            if !same.isEmpty { found = same }
        }
        let waiting = found.filter { lanes[$0].next != nil }
        let next = waiting.min { (lanes[$0].next ?? 0) < (lanes[$1].next ?? 0) }
        let last = found.max { (lanes[$0].takes.last?.order ?? 0) < (lanes[$1].takes.last?.order ?? 0) }
        guard let index = next ?? last else { return nil }
        let count = lanes[index].takes.count
        let place = min(lanes[index].played, count - 1)
        lanes[index].played = min(lanes[index].played + 1, count)
        return Play(
            take: lanes[index].takes[place].take, number: place + 1, count: count, isRepeated: next == nil)
    }

    /// Adds what a GET got as what a HEAD gets (RFC 9110 §9.3.2), in an order of its own.
    private mutating func heads(of target: TapeTarget) -> [Int] {
        let first = lanes.count
        for var lane in lanes where lane.method == "GET" && lane.target.matches(target) {
            (lane.method, lane.played) = ("HEAD", 0)
            lanes.append(lane)
        }
        return Array(first..<lanes.count)
    }

    /// The recorded request that is most like another one; nil for an empty tape.
    func nearest(_ method: String, _ target: TapeTarget) -> String? {
        let best = lanes.enumerated().max { first, second in
            // Of equal ones the first.
            (first.element.target.likeness(target), first.element.method == method ? 1 : 0, -first.offset)
                < (second.element.target.likeness(target), second.element.method == method ? 1 : 0, -second.offset)
        }
        return best.map { "\($0.element.method) \($0.element.target.text)" }
    }
}

/// The path and the query of a URL, or of the first line of a request, however they are percent-encoded.
struct TapeTarget: Equatable, Sendable {
    private struct Parameter: Equatable, Sendable {
        var name: String
        var value: String

        init(_ text: Substring) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            name = PercentEncoding.unescapeForm(parts[0])
            value = parts.count > 1 ? PercentEncoding.unescapeForm(parts[1]) : ""
        }
    }

    private let segments: [String]
    /// Sorted by their names: the order of parameters is the client's.
    private let parameters: [Parameter]
    /// As it was written.
    let text: String

    /// Reads `/orders?page=1`, `https://api.test/orders?page=1`; nil for anything else.
    init?(_ text: String) {
        var rest = text.prefix { $0 != "#" }
        if let scheme = rest.firstRange(of: "://"), !rest[..<scheme.lowerBound].contains(where: { "/?".contains($0) }) {
            rest = rest[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        if rest.isEmpty || rest.first == "?" { rest = Substring("/" + String(rest)) }
        guard rest.first == "/" else { return nil }
        self.text = String(rest)
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        segments = parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(Self.unescaped)
        let query = parts.count > 1 ? parts[1] : ""
        parameters = query.split(separator: "&").map(Parameter.init).enumerated().sorted {
            ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
        }.map(\.element)
    }

    static func == (first: TapeTarget, second: TapeTarget) -> Bool {
        first.segments == second.segments && first.parameters == second.parameters
    }

    /// A plus sign in a path is one.
    private static func unescaped(_ segment: Substring) -> String {
        segment.split(separator: "+", omittingEmptySubsequences: false).map { PercentEncoding.unescapeForm($0) }
            .joined(separator: "+")
    }

    /// Returns true for the same target. A part that is masked here may be anything there.
    func matches(_ other: TapeTarget) -> Bool {
        guard segments.count == other.segments.count, parameters.count == other.parameters.count else { return false }
        let sameSegments = zip(segments, other.segments).allSatisfy { $0 == $1 || $0.contains(LogMask.mask) }
        return sameSegments
            && zip(parameters, other.parameters).allSatisfy {
                $0 == $1 || $0.name == $1.name && $0.value.contains(LogMask.mask)
            }
    }

    /// Grows with what two targets have in common.
    func likeness(_ other: TapeTarget) -> Int {
        let common = zip(segments, other.segments).prefix(while: { $0 == $1 }).count
        let names = Set(other.parameters.map(\.name))
        let known = parameters.count { names.contains($0.name) }
        return 100 * common - 10 * abs(segments.count - other.segments.count) + known
    }
}
