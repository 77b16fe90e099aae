/// A set of states in insertion order, with membership tests in constant time.
struct IRegexpStates {
    private(set) var list: [Int] = []
    /// For each state, the round in which it was added last.
    private var rounds: [UInt32]
    private var round: UInt32 = 1

    init(count: Int) { rounds = Array(repeating: 0, count: count) }

    func contains(_ state: Int) -> Bool { rounds[state] == round }

    /// Returns false when the state is already present.
    mutating func insert(_ state: Int) -> Bool {
        guard rounds[state] != round else { return false }
        rounds[state] = round
        list.append(state)
        return true
    }

    mutating func removeAll() {
        list.removeAll(keepingCapacity: true)
        round &+= 1
        guard round == 0 else { return }
        rounds = Array(repeating: 0, count: rounds.count)
        round = 1
    }
}
