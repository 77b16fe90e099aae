extension EnvironmentPane {
    /// The part inside the frame.
    static func inside(_ rect: Rect) -> Rect { rect.inset(by: 1).dropLeft(1).dropRight(1) }

    /// Draws the table in its frame, and returns the cursor's position while something is edited.
    func draw(_ title: String, isDirty: Bool, on surface: inout Surface, in rect: Rect) -> Point? {
        let inside = OverlayFrame.draw(
            "Environments of \(title)" + (isDirty ? " ●" : ""), columns: rect.columns, rows: rect.rows, on: &surface,
            in: rect)
        guard !table.environments.isEmpty else {
            surface.write("No environments. A adds one.", at: inside.origin, style: Style(.dim), limit: inside.columns)
            return nil
        }
        let columns = columns
        drawNames(columns, on: &surface, in: inside.top(1))
        var cursor: Point?
        let body = inside.dropTop(1).dropBottom(1)
        for line in 0..<body.rows where position.offset + line < table.rows.count {
            let index = position.offset + line
            cursor = draw(table.rows[index], index, columns, on: &surface, in: body.line(line)) ?? cursor
        }
        var pen = Pen(inside.bottom(1))
        pen.write(detail, on: &surface)
        if table.rows.count > body.rows {
            let mark = position.mark(count: table.rows.count, page: body.rows, focused: true)
            OverlayFrame.mark(mark, around: inside, on: &surface)
        }
        return cursor
    }

    func drawCompletion(on surface: inout Surface, at cursor: Point, in area: Rect) {
        if let text = editing?.text { completion.draw(text.edited, on: &surface, at: cursor, in: area) }
    }

    private func shown(_ columns: EnvironmentColumns) -> Range<Int> {
        firstColumn..<min(table.environments.count, firstColumn + columns.visible)
    }

    private func drawNames(_ columns: EnvironmentColumns, on surface: inout Surface, in rect: Rect) {
        let shown = shown(columns)
        if shown.count < table.environments.count {
            let first = shown.count > 1 ? "\(shown.lowerBound + 1)–" : ""
            surface.write(
                "\(first)\(shown.upperBound) of \(table.environments.count)", at: rect.origin,
                style: Style(.dim), limit: columns.name - 1)
        }
        for index in shown {
            let environment = table.environments[index]
            var pen = Pen(cell(index, columns, in: rect))
            let isActive = environment.name == table.active
            let word = isActive ? " in use" : environment.isAbstract ? " abstract" : ""
            let style = Style(environment.protected ? .production : .title, index == column ? [.bold, .underline] : [])
            pen.write(environment.name, style, on: &surface, keeping: word.count)
            pen.write(word, Style(.dim), on: &surface)
        }
    }

    /// The place of an environment in a line, without the space behind it.
    private func cell(_ index: Int, _ columns: EnvironmentColumns, in line: Rect) -> Rect {
        line.dropLeft(columns.name + (index - firstColumn) * columns.width).left(columns.width - 1)
    }

    private func draw(
        _ row: EnvironmentTable.Row, _ index: Int, _ columns: EnvironmentColumns, on surface: inout Surface,
        in line: Rect
    ) -> Point? {
        let isCurrent = index == position.cursor
        guard case .part(let part) = row else {
            // The name of a new row is typed in place of its heading, where the list has no rows yet.
            if isCurrent, let editing { return draw(editing, columns, on: &surface, in: line) }
            drawHeading(row, on: &surface, in: line)
            if isCurrent { surface.restyle(line, adding: .highlight) }
            return nil
        }
        let name = line.left(columns.name - 1)
        surface.write(part.label, at: name.origin, style: Style(.key), limit: name.columns)
        let field = isCurrent ? editing.map { self.field(of: $0, columns, in: line) } : nil
        for index in shown(columns) {
            var place = cell(index, columns, in: line)
            // The field under edit covers cells; one that it covers in part ends before it.
            if let field, place.column < field.endColumn {
                place = place.left(min(place.columns, field.column - 1 - place.column))
            }
            guard place.columns > 0 else { continue }
            var pen = Pen(place)
            let cell = table.cell(part, of: table.environments[index], problem: problem)
            pen.write(cell.spans, on: &surface)
        }
        guard isCurrent else { return nil }
        guard let editing else {
            surface.restyle(name, adding: .highlight)
            surface.restyle(cell(column, columns, in: line), adding: .highlight)
            return nil
        }
        return draw(editing, columns, on: &surface, in: line)
    }

    private func draw(
        _ editing: Editing, _ columns: EnvironmentColumns, on surface: inout Surface, in line: Rect
    ) -> Point {
        let field = field(of: editing, columns, in: line)
        let cursor = editing.text.draw(on: &surface, in: field)
        if editing.text.text.isEmpty, let example = editing.example {
            surface.write(example, at: cursor, style: Style(.dim, .underline), limit: field.columns)
        }
        return cursor
    }

    private func field(of editing: Editing, _ columns: EnvironmentColumns, in line: Rect) -> Rect {
        guard case .cell = editing else { return line }
        let place = line.dropLeft(columns.name + (column - firstColumn) * columns.width)
        let least = min(Self.minimumField, line.columns - columns.name)
        // The last column borrows room from those before it; another one takes the cells after it that its text needs.
        guard place.columns >= least else { return line.right(least) }
        let example = editing.text.text.isEmpty ? editing.example ?? "" : ""
        let needed = TextWidth.of(String((editing.text.text + example).prefix(place.columns))) + 1
        return place.left(min(place.columns, (needed / columns.width + 1) * columns.width - 1))
    }

    /// The place of the field under edit; nil where it does not show.
    func field(in inside: Rect) -> Rect? {
        let body = inside.dropTop(1).dropBottom(1)
        let line = body.line(position.cursor - position.offset)
        return line.isEmpty ? nil : editing.map { field(of: $0, columns, in: line) }
    }

    private static let minimumField = 40

    private func drawHeading(_ row: EnvironmentTable.Row, on surface: inout Surface, in line: Rect) {
        guard case .heading(let title, let list) = row else { return }
        var pen = Pen(line)
        pen.write(title, Style(.title), on: &surface)
        if let list { pen.write("  Enter adds a \(list.noun)", Style(.dim), on: &surface) }
    }

    // MARK: The line that explains the cell

    private var detail: [Span] {
        if let problem = refusal { return [Span(text: "✗ " + problem, role: .failure)] }
        guard editing == nil, let environment, case .part(let part) = row else { return hint }
        let source = source(of: part, for: environment)
        let known = facts(of: part) + value(of: part, in: environment)
        let rest = source.isEmpty && known.isEmpty ? meaning(of: part, in: environment) : known
        return source + (source.isEmpty || rest.isEmpty ? [] : [Span(text: " · ", role: .dim)]) + rest
    }

    private var hint: [Span] {
        switch editing {
        case .newRow(let list, _): [Span(text: "name of the \(list.noun)", role: .dim)]
        case .rowName(let part, _): [Span(text: "new name of \(part.label), in every environment", role: .dim)]
        case .cell(let part, let text) where part.list == .secrets && text.text.isEmpty:
            [Span(text: Secret.Source.forms, role: .dim)]
        case .cell(let part, _):
            [
                Span(
                    text: "\(part.label) of \(environment?.name ?? "")"
                        + (table.environments.count > 1 ? " · Tab goes to the next environment" : ""), role: .dim)
            ]
        case nil: []
        }
    }

    /// The reason why the text under edit will be refused.
    private var refusal: String? {
        guard case .cell(let part, let text) = editing, var changed = environment,
            text.text != changed.text(of: part) ?? ""
        else { return nil }
        do throws(FieldError) { try changed.set(part, text.text) } catch { return error.message }
        return nil
    }

    private func source(of part: EnvironmentPart, for environment: Environment) -> [Span] {
        guard let parent = table.source(of: part, for: environment) else { return [] }
        return [Span(text: "inherited from \(parent)", role: .inherited)]
    }

    /// The uses of a variable, and the environments that lack it.
    private func facts(of part: EnvironmentPart) -> [Span] {
        guard part.list == .variables || part.list == .secrets else { return [] }
        let uses = table.uses.requests[part.label]?.count ?? 0
        let places = table.places(using: part.label).count
        let counts = [
            uses > 0 ? Count.of(uses, "request") : nil, places > 0 ? Count.of(places, "place") + " here" : nil,
        ].compactMap { $0 }
        let lacking = table.environments(lacking: part.label)
        let used = counts.isEmpty ? "unused" : "used by " + counts.joined(separator: " and ")
        let missing = Span(text: "undefined in \(lacking.joined(separator: ", ")) · ", role: .failure)
        let set = overridden.contains(part.label) ? [Span(text: "set on the command line · ", role: .warning)] : []
        return set + (lacking.isEmpty ? [] : [missing]) + [Span(text: used, role: .dim)]
    }

    /// Explains the choices of a field, or what holds where it is empty.
    private func meaning(of part: EnvironmentPart, in environment: Environment) -> [Span] {
        guard case .field(let index) = part, Environment.fields.indices.contains(index) else { return [] }
        let field = Environment.fields[index]
        let isOfConnection = Environment.connectionRows.contains(index)
        // Those of a connection say that one is inherited.
        let choices = isOfConnection ? [] : field.choices.filter { !$0.note.isEmpty }
        let notes = choices.map { "\($0.name): \($0.note)" }
        if !notes.isEmpty { return [Span(text: notes.joined(separator: " · "), role: .dim)] }
        if table.cell(part, of: environment, problem: problem).text.hasPrefix("↑ ") {
            return [Span(text: "inherited from the collection", role: .inherited)]
        }
        let usual = isOfConnection ? standard(index, in: environment) : nil
        let example = field.example.isEmpty || !field.read(environment).isEmpty ? nil : "for example \(field.example)"
        let words = ([usual, example] + [Self.words[field.label]]).compactMap { $0 }
        return words.isEmpty ? [] : [Span(text: words.joined(separator: " · "), role: .dim)]
    }

    /// The value of a setting of the connection that nothing sets.
    private func standard(_ index: Int, in environment: Environment) -> String? {
        let setting = SavedConnection.fields[index - Environment.connectionRows.lowerBound]
        let isSet = SavedConnection.text(of: setting, in: environment.connection) != nil
        return isSet ? nil : "not set: \(setting.standard)"
    }

    /// The meaning of fields whose labels do not say it.
    private static let words = [
        "inherits": "the environment that has what this one does not set",
        "env file": "a file with NAME=value lines, whose names are secrets here",
        "connect within": "the maximum time to a connection, for example 5s",
        "proxy": "for example http://proxy.example:3128, or none",
        "via": "a host of ssh through which requests go, for example ssh://me@bastion",
    ]

    /// A value that is longer than its cell.
    private func value(of part: EnvironmentPart, in environment: Environment) -> [Span] {
        let cell = table.cell(part, of: environment, problem: problem)
        guard TextWidth.of(cell.text) >= columns.width else { return [] }
        return (part.list == .variables || part.list == .secrets ? [Span(text: " · ", role: .dim)] : []) + cell.spans
    }
}
