/// The form before a folder or a collection is run: the pace and the number of its requests, and a file of data.
struct FolderRunOverlay: Equatable, Sendable {
    private enum Row: Int, CaseIterable {
        case concurrency, times, rate, data, failsFast

        var label: String {
            switch self {
            case .concurrency: "At a time"
            case .times: "Times each"
            case .rate: "At most a second"
            case .data: "File of data"
            case .failsFast: "Stop at first failure"
            }
        }

        /// The text of an empty field.
        var placeholder: String {
            switch self {
            case .concurrency, .times: "1"
            case .rate: "no limit"
            case .data: "none"
            case .failsFast: ""
            }
        }
    }

    private let plan: BatchPlan
    private let title: String
    /// `3 requests to local`
    private let requests: String
    private let maximumTimes: Int
    /// The texts of all rows but the last one.
    private var fields: [TextField]
    private var failsFast: Bool
    private var row = 0
    private var problem: String?

    /// - Parameters:
    ///   - plan: proposed.
    ///   - count: the number of requests.
    ///   - requests: the number of requests as text, and the environment.
    init(_ plan: BatchPlan, of count: Int, title: String, _ requests: String) {
        (self.plan, self.title, self.requests) = (plan, title, requests)
        maximumTimes = max(1, Batch.maximumRows / max(1, count))
        fields = ["\(plan.run.concurrency)", "\(plan.times)", plan.rateText ?? "", plan.dataPath ?? ""].map {
            TextField($0)
        }
        failsFast = plan.run.failsFast
        fields[0].perform(.selectAll)
    }

    // MARK: Keys

    /// Returns the action that begins the run; nil while the form stays open.
    mutating func handle(_ action: Action, in screen: Rect) -> [Action]? {
        switch action {
        case .mouse(.click(let point)): click(point, in: screen)
        case .nextField: go(to: (row + 1) % Row.allCases.count)
        case .text(.move(.down)): go(to: min(row + 1, Row.allCases.count - 1))
        case .text(.move(.up)): go(to: max(row - 1, 0))
        case .text(let edit): change(edit)
        case .accept: return submit()
        default: break
        }
        return nil
    }

    private mutating func go(to target: Int) {
        guard target != row else { return }
        if fields.indices.contains(row) { fields[row].perform(.move(.end)) }
        row = target
        if fields.indices.contains(row) { fields[row].perform(.selectAll) }
    }

    private mutating func change(_ edit: TextEdit) {
        problem = nil
        guard !fields.indices.contains(row) else { return fields[row].perform(edit) }
        switch edit {
        case .insert(" "), .move(.left), .move(.right): failsFast.toggle()
        case .insert("y"): failsFast = true
        case .insert("n"): failsFast = false
        default: break
        }
    }

    /// Chooses the row of a click. In the row of the cursor it places that, or changes the value.
    private mutating func click(_ point: Point, in screen: Rect) {
        let inside = inside(in: screen)
        let target = point.row - inside.row - 1
        guard inside.contains(point), Row.allCases.indices.contains(target) else { return }
        guard target == row else { return go(to: target) }
        guard fields.indices.contains(row) else { return failsFast.toggle() }
        let place = inside.line(row + 1).dropLeft(Self.labelColumns)
        guard place.contains(point) else { return }
        fields[row].click(column: point.column - place.column, in: place.columns)
    }

    private mutating func submit() -> [Action]? {
        guard let concurrency = number(.concurrency, in: RunPlan.concurrencies),
            let times = number(.times, in: 1...maximumTimes)
        else { return nil }
        let rate = text(.rate).isEmpty ? nil : Double(text(.rate))
        guard text(.rate).isEmpty || rate.map({ RunPlan.rates.contains($0) }) ?? false else {
            let rates = RunPlan.rates
            return refuse(.rate, "a number from \(rates.lowerBound) to \(Int(rates.upperBound)), or nothing")
        }
        var plan = plan
        plan.run = RunPlan(length: .times(times), concurrency: concurrency, rate: rate, failsFast: failsFast)
        plan.dataPath = text(.data).isEmpty ? nil : text(.data)
        return [.batch(.begin(plan))]
    }

    /// Chooses the file of data, with the reason why it cannot be read.
    mutating func refuseData(_ reason: String) { _ = refuse(.data, reason) }

    private func text(_ row: Row) -> String { fields[row.rawValue].text }

    /// Returns the number in a field, of which an empty one has the placeholder; nil with a problem.
    private mutating func number(_ row: Row, in range: ClosedRange<Int>) -> Int? {
        let typed = text(row)
        if let number = Int(typed.isEmpty ? row.placeholder : typed), range.contains(number) { return number }
        _ = refuse(row, "a number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    private mutating func refuse(_ row: Row, _ reason: String) -> [Action]? {
        go(to: row.rawValue)
        problem = reason
        return nil
    }

    // MARK: Drawing

    private static let labelColumns = 23
    private static let maximumColumns = 50

    private func inside(in screen: Rect) -> Rect {
        let columns = min(Self.maximumColumns, screen.columns - 4)
        let rows = 1 + Row.allCases.count + problemLines(columns: columns).count
        return OverlayFrame.inside(columns: columns, rows: rows, in: screen)
    }

    private func problemLines(columns: Int) -> [String] {
        problem.map { WrappedText.lines(of: "✗ " + $0.asSentence, columns: columns) } ?? []
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let inside = OverlayFrame.draw("Run \(title)", around: inside(in: screen), on: &surface)
        surface.write("\(requests); Enter runs them", at: inside.origin, limit: inside.columns)
        var cursor: Point?
        for row in Row.allCases where row.rawValue + 1 < inside.rows {
            let line = inside.line(row.rawValue + 1)
            surface.write(row.label, at: line.origin, style: Style(.key), limit: line.columns)
            let place = line.dropLeft(Self.labelColumns)
            if row.rawValue == self.row, row != .failsFast {
                cursor = fields[row.rawValue].draw(on: &surface, in: place)
            } else {
                draw(row, on: &surface, in: place)
            }
        }
        let below = inside.dropTop(Row.allCases.count + 1)
        for (index, text) in problemLines(columns: inside.columns).enumerated() where index < below.rows {
            let line = below.line(index)
            surface.write(text, at: line.origin, style: Style(.failure), limit: line.columns)
        }
        return cursor
    }

    /// Writes the value of a row without the cursor of a text.
    private func draw(_ row: Row, on surface: inout Surface, in place: Rect) {
        guard row != .failsFast else {
            let word = failsFast ? "yes" : "no"
            guard row.rawValue == self.row else {
                surface.write(word, at: place.origin, style: Style(failsFast ? .plain : .dim), limit: place.columns)
                return
            }
            surface.write("◂ \(word) ▸", at: place.origin, limit: place.columns)
            return surface.restyle(place, adding: .highlight)
        }
        let text = text(row)
        surface.write(
            text.isEmpty ? row.placeholder : text, at: place.origin, style: Style(text.isEmpty ? .dim : .plain),
            limit: place.columns)
    }
}
