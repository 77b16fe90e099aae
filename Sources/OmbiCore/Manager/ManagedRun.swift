/// A run whose request can be looked at without knowing its type.
protocol ManagedRun: RunControl {
    var anyRequestable: any Requestable { get }
}

extension RequestRun: ManagedRun {
    var anyRequestable: any Requestable { requestable }
}
