/// Carries a value over to another queue.
///
/// Unchecked because the body of a response need not be Sendable: the run makes the value, hands it over once and
/// keeps nothing of it, so no two threads ever see it at the same time.
struct Handover<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
