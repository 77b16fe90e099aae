/// The variables of one run, from a row of a file of data.
public struct DataRow: Sendable, Equatable {
    /// Counted from 1; the header of a table is none.
    public var number: Int
    public var variables: [Variable]

    public init(number: Int, variables: [Variable]) {
        self.number = number
        self.variables = variables
    }

    /// Returns the row if a run of the request would be another one with other values; nil if the runs of all rows are alike.
    /// - Parameter names: the variables that the request names, also by way of others.
    func row(ofRunNaming names: Set<String>) -> Int? {
        variables.contains { names.contains($0.name) } ? number : nil
    }
}
