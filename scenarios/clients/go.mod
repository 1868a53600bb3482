module otcsim/recipes

go 1.21
