import Testing

@testable import OmbiWorkspace

/// The times of the rounds of a watch, and its end.
@Suite struct WatchRoundsTests {
    @Test func `the first round is due at once, the next an interval after its start`() {
        var rounds = WatchRounds(WatchPlan(every: .seconds(5)), at: .seconds(3))
        #expect(rounds.isDue(at: .seconds(3)))
        rounds.begin(at: .seconds(4))
        #expect(rounds.nextAt == .seconds(9))
        #expect(!rounds.isDue(at: .milliseconds(8999)) && rounds.isDue(at: .seconds(9)))
    }

    @Test func `a round that takes longer than the interval is followed at once, and by a whole interval`() {
        var rounds = WatchRounds(WatchPlan(every: .seconds(5)), at: .zero)
        rounds.begin(at: .zero)
        rounds.end(passed: true)
        #expect(rounds.isDue(at: .seconds(8)))
        rounds.begin(at: .seconds(8))
        #expect(rounds.nextAt == .seconds(13) && rounds.begun == 2 && rounds.ended == 1)
    }

    private static let ends: [(WatchEnd?, [Bool])] = [
        (nil, [false, false]), (.passes, [false, true]), (.fails, [true, false]),
    ]

    /// The rounds fail first, and pass then.
    @Test(arguments: ends)
    func `a watch ends at the result that it waits for`(end: WatchEnd?, isReached: [Bool]) {
        var rounds = WatchRounds(WatchPlan(every: .seconds(5), until: end), at: .zero)
        let reached = [false, true].map { passed in
            rounds.end(passed: passed)
            return rounds.isReached
        }
        #expect(reached == isReached)
    }
}
