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

    /// Returns the steps, each with a name of its own, by which its results are found.
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
