/// A request of a load script, with the captures and checks of its response.
struct LoadStep: Sendable, Equatable {
    /// A part of the response.
    enum Subject: Sendable, Equatable {
        case path(LoadPath)
        case header(String)
        case text
        case status
    }

    struct Check: Sendable, Equatable {
        var subject: Subject
        var condition: ValueCondition
        var words: String
    }

    /// A captured value.
    struct Taken: Sendable, Equatable {
        var name: String
        var subject: Subject
    }

    var request: ExportedRequest
    /// True to send it once, before the others.
    var isSetUp = false
    /// The accepted statuses; empty for any that is no error.
    var statuses: [StatusPattern] = []
    var checks: [Check] = []
    var taken: [Taken] = []
    /// The limit of its time, which fails it beyond.
    var limit: Duration
    /// A sentence for each part that the script does without.
    var losses: [String] = []
}

extension LoadStep {
    /// Adds the checks and captures of a response to a request, as far as an engine supports them.
    /// - Parameter losses: The parts of the request that the engine omits.
    init(_ request: ExportedRequest, of order: RunOrder, limit: Duration, losses: [String]) {
        self.init(request: request, limit: limit)
        self.losses = losses + order.loadLosses
        add(order.request.expect)
        add(order.request.captures)
        if request.followsRedirects, request.texts.contains(where: { !$0.values.isEmpty }) {
            self.request.maximumRedirects = 0
            self.losses.append("redirects are not followed, as they could take values elsewhere")
            // Ombi would judge the response behind it.
            if statuses.isEmpty { statuses = [.hundreds(2)] }
        }
    }

    /// The conditions that a script can check.
    private static let conditions = ["equals", "contains", "exists", "less", "atMost", "greater", "atLeast"]

    /// Takes in the expectations, and a loss for each that a script cannot check.
    mutating func add(_ expectation: Expectation?) {
        guard let expectation else { return }
        statuses = expectation.status
        if let within = expectation.within { limit = min(limit, within) }
        for header in expectation.headers {
            add(.header(header.name), header.conditions, "header \(header.name)")
        }
        for body in expectation.body {
            guard let path = body.path else {
                add(.text, body.conditions, "body")
                continue
            }
            if let plain = LoadPath(path) { add(.path(plain), body.conditions, path) } else { lose(path) }
        }
        if expectation.schema != nil { lose("the JSON Schema") }
        if expectation.size != nil { lose("the size") }
        if expectation.firstAttemptWithin != nil { lose("the time of the first attempt") }
        if expectation.certificateDays != nil { lose("the days of the certificate") }
    }

    private mutating func add(_ subject: Subject, _ conditions: [ValueCondition], _ name: String) {
        for condition in conditions.isEmpty ? [.exists(true)] : conditions {
            let words = condition.words(of: name)
            if Self.conditions.contains(condition.key) {
                checks.append(Check(subject: subject, condition: condition, words: "expected \(words)"))
            } else {
                lose(words)
            }
        }
    }

    private mutating func lose(_ words: String) { losses.append("not checked: \(words)") }

    /// Takes in the captures, and a loss for each that a script cannot make.
    mutating func add(_ captures: [Capture]) {
        for capture in captures where capture.enabled {
            if let subject = Self.subject(of: capture) {
                taken.append(Taken(name: capture.name, subject: subject))
            } else {
                losses.append("not captured: \(capture.name) from \(capture.source.text)")
            }
        }
    }

    /// Nil for a capture that a script cannot make.
    private static func subject(of capture: Capture) -> Subject? {
        switch capture.source {
        case .path(let path): LoadPath(path).map { .path($0) }
        case .header(let name): .header(name)
        case .status: .status
        case .cookie, .regex: nil
        }
    }

    /// Returns true if a script can capture a value from the response of a request.
    static func takes(_ name: String, from request: SavedRequest) -> Bool {
        request.captures.contains { $0.enabled && $0.name == name && subject(of: $0) != nil }
    }

    /// The step apart from its request, for the code that judges responses.
    var json: JSONValue {
        let ranges = statuses.isEmpty ? [100...399] : statuses.map(\.codes)
        let checks = checks.map { check -> JSONValue in
            check.subject.json.appending([
                "key": .string(check.condition.key), "wanted": check.condition.json, "words": .string(check.words),
            ])
        }
        return [
            "name": .string(request.name), "method": .string(request.method.rawValue),
            "statuses": .array(ranges.map { .array([.number($0.lowerBound), .number($0.upperBound)]) }),
            "limitMs": .number(limit / .milliseconds(1)), "checks": .array(checks),
            "taken": .array(taken.map { $0.subject.json.appending(["name": .string($0.name)]) }),
        ]
    }
}

extension [LoadStep] {
    /// The names of the variables of the process that the steps need.
    var variables: [String] {
        let values = flatMap(\.request.texts).flatMap(\.values)
        return Set(values.compactMap { if case .secret = $0.source { $0.name } else { nil } }).sorted()
    }
}

extension ExportedRequest {
    /// Returns a sentence for each part that a script cannot express. Those around the request are losses of the order.
    func loadLosses(for engine: LoadEngine) -> [String] {
        let losses = losses(besides: engine.abilities).filter { !$0.hasPrefix("left out: ") } + unchunkedLosses
        guard engine == .locust, case .multipart(let parts)? = body, parts.isEmpty else { return losses }
        return losses + ["Locust sends no empty form"]
    }
}

extension RunOrder {
    /// A sentence for each thing that Ombi does around a request and an engine does not.
    fileprivate var loadLosses: [String] {
        let policy = inheritance.policy(of: request)
        let parts: KeyValuePairs<String, Bool> = [
            "it is not retried": policy.retries ?? 0 > 0, "the breaker is left out": policy.breaker != nil,
            "further pages are left out": request.pages != nil, "the fallback is left out": request.fallback != nil,
            "the body is not compressed": request.compression != nil,
        ]
        return parts.filter { $0.value }.map { $0.key }
    }
}

extension LoadStep.Subject {
    fileprivate var json: JSONValue {
        switch self {
        case .path(let path): ["subject": "path", "keys": path.json]
        case .header(let name): ["subject": "header", "header": .string(name.lowercased())]
        case .text: ["subject": "text"]
        case .status: ["subject": "status"]
        }
    }
}

/// A JSONPath that selects one value at most: `$.user.roles[0]`.
struct LoadPath: Sendable, Equatable {
    enum Key: Sendable, Equatable {
        case name(String)
        case index(Int)
    }

    private(set) var keys: [Key] = []

    /// Nil for a path with anything but names and indices from 0 on.
    init?(_ text: String) {
        guard (try? JSONPath(text)) != nil, text.first == "$" else { return nil }
        var rest = text.dropFirst()
        while let start = rest.popFirst() {
            if start == "." {
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                guard !name.isEmpty else { return nil }
                keys.append(.name(String(name)))
                rest = rest[name.endIndex...]
            } else if start == "[", let end = rest.firstIndex(of: "]"), let key = Self.key(rest[..<end]) {
                keys.append(key)
                rest = rest[rest.index(after: end)...]
            } else {
                return nil
            }
        }
    }

    /// Nil for a text in brackets that is no index and no plain name in quotes.
    private static func key(_ text: Substring) -> Key? {
        if let index = Int(text), index >= 0 { return .index(index) }
        guard text.count > 2, let quote = text.first, quote == "'" || quote == "\"", text.last == quote else {
            return nil
        }
        let name = text.dropFirst().dropLast()
        return name.contains(quote) || name.contains("\\") ? nil : .name(String(name))
    }

    fileprivate var json: JSONValue {
        .array(
            keys.map { key in
                switch key {
                case .name(let name): .string(name)
                case .index(let index): .number(index)
                }
            })
    }
}

/// The requests of a load in the order in which they are sent.
struct LoadSequence {
    /// Those that are sent once, before the others, for the values that they capture.
    private(set) var setUp: [RunOrder] = []
    private(set) var own: [RunOrder] = []

    /// - Parameter needed: returns the requests that have to be sent before another one, in order.
    init<Failure: Error>(
        _ orders: [RunOrder], _ needed: (RunOrder) throws(Failure) -> [SavedRequest]
    ) throws(Failure) {
        var (first, sent): (Set<ItemID>, Set<ItemID>) = ([], [])
        for order in orders {
            let requests = try needed(order)
            // One that is sent first needs its own values before any other request of the load is sent.
            if !requests.allSatisfy({ first.contains($0.id) || sent.contains($0.id) }) {
                for request in requests where first.insert(request.id).inserted {
                    setUp.append(order.order(of: request))
                }
            }
            own.append(order)
            sent.insert(order.request.id)
        }
    }

    /// Returns the steps with unique names, which identify their results.
    func steps<Failure: Error>(_ step: (RunOrder) throws(Failure) -> LoadStep) throws(Failure) -> [LoadStep] {
        var (steps, used): ([LoadStep], Set<String>) = ([], [])
        for (index, order) in (setUp + own).enumerated() {
            var step = try step(order)
            step.isSetUp = index < setUp.count
            // Engines print it as it is.
            let name = ShellQuotes.comment(step.request.name)
            var number = 1
            step.request.name = name
            while !used.insert(step.request.name).inserted {
                number += 1
                step.request.name = "\(name) (\(number))"
            }
            steps.append(step)
        }
        return steps
    }
}

/// The values that the requests of a script have captured so far. Each collection and environment has its own, even
/// under the same name: no server gets a value from another server's response by mistake.
struct CapturedValues: Sendable {
    struct Value: Sendable {
        var name: String
        /// Scheme, host and port of the request that captures it.
        var origin: String
        var isSecret: Bool
    }

    private struct Key: Hashable {
        var name: String
        var file: String
        var environment: String?
    }

    private var values: [Key: Value] = [:]
    private var names: UniqueNames

    /// - Parameter columns: names that rows of data have in the script.
    init(besides columns: Set<String> = []) { names = UniqueNames(columns) }

    /// Returns the value of a name in the collection of a request; nil if no earlier request captures it.
    func value(named name: String, for order: RunOrder) -> Value? { values[Self.key(name, order)] }

    /// Adds the captures of a step, under their names in the script from here on.
    mutating func take(_ step: inout LoadStep, of order: RunOrder, origin: String) {
        for index in step.taken.indices {
            let name = step.taken[index].name
            let key = Self.key(name, order)
            let unique = values[key]?.name ?? names.take(name)
            let isSecret = order.request.captures.contains { $0.name == name && $0.isSecret }
            values[key] = Value(name: unique, origin: origin, isSecret: isSecret)
            step.taken[index].name = unique
        }
    }

    private static func key(_ name: String, _ order: RunOrder) -> Key {
        Key(name: name, file: order.file, environment: order.chosenEnvironment?.name)
    }
}
