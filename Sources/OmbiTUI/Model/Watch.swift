import OmbiCore
import OmbiTerminal
import OmbiWorkspace

extension WatchPlan {
    private static let minimumInterval = Duration.milliseconds(100)
    private static let maximumTimes = 10_000

    /// Reads `5s`, `5s until passes` or `5s until fails`, each also with `20 times` after it, and `20 times` alone; nil for
    /// anything else.
    init?(_ text: String) {
        var words = text.split(separator: " ")
        var times: Int?
        if words.count > 1, words.last == "times" {
            guard let count = Int(words[words.count - 2]), (1...Self.maximumTimes).contains(count) else { return nil }
            times = count
            words.removeLast(2)
        }
        let written = words.first.map { DurationText.parse(String($0)) ?? .zero }
        let interval = written ?? (times == nil ? .zero : Self.minimumInterval)
        guard interval >= Self.minimumInterval, interval <= .seconds(86_400) else { return nil }
        self.init(every: interval)
        self.times = times
        guard words.count > 1 else { return }
        guard words.count == 3, words[1] == "until", let end = WatchEnd(rawValue: String(words[2])) else { return nil }
        self.end = end
    }

    var text: String { "every \(DurationText.format(interval))" + (end.map { " until it \($0.rawValue)" } ?? "") }
}

/// A request that is sent again and again until its result is the one that is waited for.
struct Watch: Equatable, Sendable {
    let item: ItemID
    let name: String
    /// The file and the environment in which it began: it goes on in no other.
    let file: String
    let environment: String?
    /// Tells its clock from that of an earlier watch.
    let number: Int
    private(set) var rounds: WatchRounds
    private(set) var changes = 0
    private var last: WatchedResult?

    init(_ order: RunOrder, plan: WatchPlan, number: Int, at time: Duration) {
        (item, name, self.number) = (order.request.id, order.request.name, number)
        (file, environment) = (order.file, order.environment)
        rounds = WatchRounds(plan, at: time)
    }

    /// The time until the clock is to be looked at again: a second at most, so that the screen counts down.
    func untilTick(at time: Duration) -> Duration { min(.seconds(1), max(.milliseconds(50), rounds.nextAt - time)) }

    /// Takes note of a run that begins.
    mutating func begin(at time: Duration) { rounds.begin(at: time) }

    /// Takes in the result of a run. Returns a line for what changed; nil where nothing did.
    /// - Parameter ignored: the paths whose values may differ.
    mutating func end(_ result: SessionResult, ignoring ignored: [String] = []) -> Notice? {
        rounds.end(passed: result.passed)
        let new = WatchedResult(result, ignoring: ignored)
        guard let before = last else {
            last = new
            return nil
        }
        let found = new.changes(since: before)
        guard !found.isEmpty else { return nil }
        last = new
        changes += 1
        return Notice(new.passed ? .success : .failure, "\(name): " + found.joined(separator: " · "))
    }

    /// `watching list users every 5s · next in 3 s · 2 changes`; with a number of times `watching list users (7 of 20) …`
    func text(at time: Duration) -> String {
        let seconds = Int(max(.zero, rounds.nextAt - time) / .seconds(1) + 0.999)
        let count = rounds.plan.times.map { " (\(rounds.ended) of \($0))" } ?? ""
        return "watching \(name)\(count) \(rounds.plan.text) · next in \(seconds) s"
            + (changes > 0 ? " · \(Count.of(changes, "change"))" : "")
    }
}
