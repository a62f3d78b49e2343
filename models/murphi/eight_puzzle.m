-- The sliding-tile puzzle (N. Chapman, about 1874) on a board of ROWS times COLUMNS squares. On the 3 x 3 board exactly
-- half of the 9! arrangements can be reached, 181,440, and the furthest ones are 31 moves away; each of the nine
-- squares is the gap in a ninth of them, with 2 moves in a corner, 3 at an edge and 4 in the middle, hence
-- 24 * 20,160 = 483,840 edges. The 2 x 3 board has 6! / 2 = 360 arrangements and is at most 21 moves deep.
--
-- figures: the known figures above; rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=360 edges=840 levels=21
-- expect: verdict=holds states=181440 edges=483840 levels=31 options="--define ROWS=3"

const
  ROWS: 2;
  COLUMNS: 3;
  LAST: ROWS * COLUMNS - 1;

type
  Row: 0..ROWS - 1;
  Column: 0..COLUMNS - 1;
  Tile: 0..LAST;  -- 0 is the gap
  Move: enum { North, South, West, East };

var
  board: array[Row] of array[Column] of Tile;
  gap_row: Row;
  gap_column: Column;

procedure slide_to(r: Row; c: Column);
begin
  board[gap_row][gap_column] := board[r][c];
  board[r][c] := 0;
  gap_row := r;
  gap_column := c;
end;

function possible(m: Move): boolean;
begin
  switch m
    case North: return gap_row > 0;
    case South: return gap_row < ROWS - 1;
    case West: return gap_column > 0;
    case East: return gap_column < COLUMNS - 1;
  end;
  return false;
end;

startstate "in order, the gap in the first corner"
begin
  for r: Row do
    for c: Column do
      board[r][c] := r * COLUMNS + c;
    end;
  end;
  gap_row := 0;
  gap_column := 0;
end;

ruleset m: Move do
  rule "move the gap"
    possible(m)
  ==>
  begin
    switch m
      case North: slide_to(gap_row - 1, gap_column);
      case South: slide_to(gap_row + 1, gap_column);
      case West: slide_to(gap_row, gap_column - 1);
      case East: slide_to(gap_row, gap_column + 1);
    end;
  end;
end;

invariant "the gap is where it is said to be"
  board[gap_row][gap_column] = 0;

invariant "no tile is lost"
  forall t: Tile do
    exists r: Row do
      exists c: Column do board[r][c] = t end
    end
  end;
